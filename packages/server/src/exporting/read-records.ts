import { compareByCodePoint, restoreJumpSeqs } from '@stoa/core';
import type { z } from 'zod';
import {
  type ExportHeader,
  type ExportRecord,
  exportFormat,
  headerShape,
  type RecordKind,
  RejectedExport,
  recordKinds,
  recordShapes,
} from '../service/exporting/format.ts';
import { parsed, readLines, spooled } from '../service/exporting/spool.ts';

/** @throws RejectedExport */
export function parseHeader(bytes: Uint8Array): ExportHeader {
  const said = parsed(bytes);
  const format = typeof said === 'object' && said !== null && 'format' in said ? said.format : null;
  if (format !== exportFormat) {
    throw new RejectedExport(
      typeof format === 'string' && format.startsWith('stoa-export-')
        ? `The export has the format ${format}, and this release knows ${exportFormat}: import it with a newer release.`
        : 'The file is not an export of a workspace.',
    );
  }
  return shaped(headerShape, said, 'The header of the export');
}

function shaped<Shape extends z.ZodType>(shape: Shape, said: unknown, what: string): z.infer<Shape> {
  const found = shape.safeParse(said);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw new RejectedExport(`${what} does not match the format: ${issue?.path.join('.')} ${issue?.message}.`);
}

type Key = readonly (number | string)[];
/** Returns the sort keys of records. They are unique. */
const keys: { readonly [Kind in RecordKind]: (record: ExportRecord<Kind>) => Key } = {
  people: ({ person }) => [person],
  contents: ({ contentHash }) => [contentHash],
  changes: ({ seq }) => [seq],
  versions: ({ incarnation, version }) => [incarnation, version],
  files: ({ path }) => [path],
  threads: ({ seq }) => [seq],
  replies: ({ thread, seq }) => [thread, seq],
  icons: ({ path }) => [path],
  orders: ({ path }) => [path],
  privacy: ({ path }) => [path],
};

/** The result of reading all records. */
export interface Understood {
  readonly people: readonly ExportRecord<'people'>[];
  readonly largestFileBytes: number;
}

/**
 * Validates every record before any is stored: its shape, its order, and that the people and threads it names exist.
 * Other references between records are checked when they are rows.
 * @throws RejectedExport
 */
export async function understandRecords(folder: string, header: ExportHeader): Promise<Understood> {
  const people: ExportRecord<'people'>[] = [];
  const threads = new Set<number>();
  let largestFileBytes = 0;
  let lastSeq = 0;
  for (const kind of recordKinds) {
    let lines = 0;
    let before: Key | null = null;
    for await (const said of readLines(spooled(folder, kind))) {
      lines += 1;
      const where = `Line ${lines} of the ${kind} in the export`;
      const record = shaped(recordShapes[kind] as z.ZodType<ExportRecord>, said, where);
      // The key function of a kind takes the records of that kind.
      const key = (keys[kind] as (record: ExportRecord) => Key)(record);
      if (before !== null && compareKeys(before, key) >= 0) {
        throw new RejectedExport(`${where} is out of order or a duplicate.`);
      }
      before = key;
      rejectUnknownPerson(record, header.records.people.lines, where);
      if (kind === 'people') people.push(record as ExportRecord<'people'>);
      if (kind === 'threads') threads.add((record as ExportRecord<'threads'>).seq);
      if (kind === 'replies' && !threads.has((record as ExportRecord<'replies'>).thread)) {
        throw new RejectedExport(`${where} belongs to a comment thread that does not exist.`);
      }
      if (kind === 'contents') {
        largestFileBytes = Math.max(largestFileBytes, (record as ExportRecord<'contents'>).size);
      }
      if (kind === 'changes') lastSeq = (record as ExportRecord<'changes'>).seq;
    }
    if (lines !== header.records[kind].lines) {
      throw new RejectedExport(
        `The header of the export announces ${header.records[kind].lines} ${kind}, but there are ${lines}.`,
      );
    }
  }
  people.forEach(({ person }, index) => {
    if (person !== index + 1) throw new RejectedExport('The people in the export are not numbered from 1.');
  });
  const { head } = header.workspace;
  if (lastSeq > head || (head - header.records.changes.lines) % restoreJumpSeqs !== 0) {
    throw new RejectedExport('The feed in the export has a gap.');
  }
  return { people, largestFileBytes };
}

const personFields = ['person', 'onlyPerson', 'exceptPerson', 'resolvedBy'] as const;

function rejectUnknownPerson(record: object, people: number, where: string): void {
  for (const [field, value] of Object.entries(record)) {
    if (!(personFields as readonly string[]).includes(field)) continue;
    if (typeof value === 'number' && value > people) {
      throw new RejectedExport(`${where} names a person who is not in the export.`);
    }
  }
}

function compareKeys(one: Key, other: Key): number {
  for (const [index, part] of one.entries()) {
    const against = other[index];
    const order =
      typeof part === 'number' ? part - Number(against) : compareByCodePoint(part, String(against));
    if (order !== 0) return order;
  }
  return 0;
}
