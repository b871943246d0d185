import type { ExportedKind, ExportedRow } from '../ports/exports.ts';

/**
 * Translates rows to records and back: a user becomes a number, a time becomes text. Fields that only the database
 * counts are omitted.
 */
interface Translation {
  /** Row fields and their record fields. */
  readonly names: Readonly<Record<string, string>>;
  /** Row fields of this kind; all others stay unchanged. */
  readonly people?: readonly string[];
  readonly times?: readonly string[];
}

const made = {
  principal: 'principal',
  actorId: 'person',
  actorKeyId: 'keyId',
  actorLabel: 'keyLabel',
  createdAt: 'createdAt',
};
const madeKinds = { people: ['actorId'], times: ['createdAt'] };
const content = { sizeBytes: 'size', contentType: 'contentType', contentHash: 'contentHash' };
const same = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, field]));

const translations: Readonly<Record<ExportedKind, Translation>> = {
  contents: { names: { contentHash: 'contentHash', sizeBytes: 'size' } },
  changes: {
    names: {
      ...same('seq', 'path', 'op', 'version', 'contentHash'),
      ...made,
      ...same('movedFrom', 'conflictOf', 'conflictBase'),
      onlyUserId: 'onlyPerson',
      exceptUserId: 'exceptPerson',
    },
    people: ['actorId', 'onlyUserId', 'exceptUserId'],
    times: ['createdAt'],
  },
  versions: {
    names: {
      ...same('incarnation', 'version', 'path'),
      ...content,
      op: 'op',
      ...made,
      ...same('movedFromPath', 'movedFromIncarnation', 'conflictOf', 'conflictBase', 'conflictBaseHash'),
    },
    ...madeKinds,
  },
  files: { names: { ...same('path', 'incarnation', 'version'), ...content } },
  threads: {
    names: {
      ...same('seq', 'path'),
      ...made,
      ...same('pinnedVersion', 'pinnedContentHash'),
      pinnedSizeBytes: 'pinnedSize',
      ...same('anchorStart', 'anchorEnd', 'anchor', 'body'),
      ...same('resolvedAt', 'resolvedAtVersion', 'resolvedBy'),
    },
    people: ['actorId', 'resolvedBy'],
    times: ['createdAt', 'resolvedAt'],
  },
  replies: {
    names: { threadSeq: 'thread', ...same('seq', 'dedupeKey'), ...made, body: 'body' },
    ...madeKinds,
  },
  icons: { names: same('path', 'icon') },
  orders: { names: same('path', 'position') },
  privacy: {
    names: { ...same('path', 'kind'), ownerId: 'person', implied: 'implied' },
    people: ['ownerId'],
  },
};

/** @param personOf returns the number of an account, the same for the whole export. */
export function recordOf(
  kind: ExportedKind,
  row: ExportedRow,
  personOf: (userId: string) => number,
): Readonly<Record<string, unknown>> {
  const { names, people = [], times = [] } = translations[kind];
  const record: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(names)) {
    const value = row[field] ?? null;
    if (value === null) record[name] = null;
    else if (people.includes(field)) record[name] = personOf(String(value));
    else if (times.includes(field)) record[name] = new Date(Number(value)).toISOString();
    else if (field === 'anchor') record[name] = JSON.parse(String(value));
    else if (field === 'implied') record[name] = value === 1;
    else record[name] = value;
  }
  return record;
}

/** Returns the row of a validated record. @throws the error of `userIdOf` for a user who is not in the export. */
export function rowOf(
  kind: ExportedKind,
  record: Readonly<Record<string, unknown>>,
  userIdOf: (person: number) => string,
): ExportedRow {
  const { names, people = [], times = [] } = translations[kind];
  const row: Record<string, string | number | null> = {};
  for (const [field, name] of Object.entries(names)) {
    const value = record[name];
    if (people.includes(field) && typeof value === 'number') row[field] = userIdOf(value);
    else if (times.includes(field) && typeof value === 'string') row[field] = Date.parse(value);
    else if (field === 'anchor') row[field] = JSON.stringify(value);
    else if (typeof value === 'boolean') row[field] = value ? 1 : 0;
    else row[field] = typeof value === 'string' || typeof value === 'number' ? value : null;
  }
  return row;
}
