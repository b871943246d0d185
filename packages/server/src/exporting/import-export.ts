// docs/decisions/0028-exports.md
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  archiveName,
  type ContentHash,
  fileBytesLimit,
  imageHashOf,
  imageTypeOf,
  WorkspaceError,
  type WorkspacePath,
  workspaceImageMaxBytes,
} from '@stoa/core';
import { checkWorkspaceRows } from '../service/checking/check-installation.ts';
import {
  type ExportHeader,
  type ExportRecord,
  entryNames,
  headerMaxBytes,
  RejectedExport,
  recordKinds,
} from '../service/exporting/format.ts';
import {
  beginImportScript,
  discardImportScript,
  finishImportScript,
  type ImportedContent,
  insertRowsScript,
  keepContentsScript,
} from '../service/exporting/import-scripts.ts';
import { formerDomain } from '../service/exporting/pack-export.ts';
import { rowOf } from '../service/exporting/records.ts';
import { readLines, spooled } from '../service/exporting/spool.ts';
import { receiveContent } from '../service/files/receive-content.ts';
import { planOf } from '../service/plans.ts';
import { type Existing, type ExportedRow, exportedKinds } from '../service/ports/exports.ts';
import type { UserRow } from '../service/ports/users.ts';
import type { WorkspaceImageRow } from '../service/ports/workspace-images.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import { cleanThemeCss } from '../service/themes/clean-theme-css.ts';
import { needingRoom } from '../storage/no-room.ts';
import { removeContentsOf } from './discard-import.ts';
import { parseHeader, understandRecords } from './read-records.ts';
import { hashedBytes, openTar, type TarReader } from './read-tar.ts';

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock' | 'ids' | 'plans'>;

export interface ImportOptions {
  /** The account that owns the workspace, regardless of the export. */
  readonly ownerId: string | null;
  /** Account ids by the export's name of the person: a number, or an address in lower case. See `parsePeopleFile`. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly planId: string | null;
  /** Called before the first write. An error that it throws ends the import. */
  readonly approve: (plan: ImportPlan) => Promise<void>;
}

/**
 * The accounts and former members of the new workspace. Addresses of an export match no account, because any user can
 * have signed up with them.
 */
export interface ImportPlan {
  readonly header: ExportHeader;
  readonly matches: readonly (ExportRecord<'people'> & { readonly account: UserRow })[];
  readonly former: readonly ExportRecord<'people'>[];
  /** The account that `ownerId` names. */
  readonly owner: UserRow | null;
}

export interface ImportReport {
  readonly workspaceId: string;
  readonly header: ExportHeader;
  /** People of the export who have an account here. */
  readonly knownPeople: number;
  readonly formerPeople: number;
}

const roomAdvice =
  'An import unpacks the records of the export there. Free some space, or set TMPDIR to a folder on another disk, and run the command again.';
const rowsAtOnce = 200;
const rowCharactersAtOnce = 512 * 1024;
const contentsAtOnce = { count: 100, bytes: 1024 * 1024 };

/**
 * Creates a new workspace from an export, atomically: users do not see it before it is complete.
 * @throws RejectedExport, NoRoom, WorkspaceError `invalid_request` for an unknown plan, and if the plan's limits are
 * exceeded
 */
export async function importExport(
  deps: Deps,
  file: string,
  options: ImportOptions,
  progress: (step: string) => void,
): Promise<ImportReport> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-import-'));
  const tar = openTar(file);
  try {
    return await importFrom(deps, tar, folder, options, progress);
  } finally {
    await tar[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

async function importFrom(
  deps: Deps,
  tar: TarReader,
  folder: string,
  { ownerId, accounts, planId, approve }: ImportOptions,
  progress: (step: string) => void,
): Promise<ImportReport> {
  const { store, ids, clock, plans } = deps;
  const header = parseHeader(
    await wholeOf((await tar.next(entryNames.header, { maxBytes: headerMaxBytes })).bytes),
  );
  const image = await readImage(tar, header);
  progress('the records');
  for (const kind of recordKinds) {
    const { bytes, sha256 } = header.records[kind];
    const entry = await tar.next(entryNames.records(kind), { bytes });
    const spool = createWriteStream(spooled(folder, kind), { flags: 'wx', mode: 0o600 });
    await needingRoom(tmpdir(), roomAdvice, () => pipeline(hashedBytes(entry, sha256), spool));
  }
  const { people, largestFileBytes } = await understandRecords(folder, header);
  const limitBytes = fileBytesLimit(planOf(plans, planId), plans.maxFileBytes);
  if (largestFileBytes > limitBytes) {
    throw new RejectedExport(
      `The export has a content of ${largestFileBytes} bytes, and a file may have ${limitBytes} here: name another plan (--plan), or raise STOA_MAX_FILE_BYTES.`,
    );
  }
  const plan = { header, ...(await matchPeople(deps, people, accounts, ownerId)) };
  const found = standingsOf(deps, people, plan);
  await approve(plan);

  const workspaceId = ids('ws');
  const { name, icon, color, theme, themeCss, createdAt, head } = header.workspace;
  await store.transact(beginImportScript, {
    workspaceId,
    ...{ name, icon, color, theme, planId },
    themeCss: themeCss === null ? null : cleanThemeCss(themeCss),
    createdAt: Date.parse(createdAt),
  });
  try {
    await takeContents(deps, tar, folder, { workspaceId, limitBytes, header }, progress);
    await tar.end();
    await insertRows(deps, folder, { workspaceId, userIds: found.userIds, header }, progress);
    progress('the check');
    const wrong = await checkWorkspaceRows(store, workspaceId);
    if (wrong.length > 0) {
      throw new RejectedExport(
        `The records of the export contradict each other, so nothing was imported:\n${wrong.slice(0, 5).join('\n')}`,
      );
    }
    await store.transact(finishImportScript, {
      ...{ workspaceId, seq: head, image, now: clock() },
      standings: found.standings,
      formerPeople: found.formerPeople,
    });
  } catch (error) {
    const isLeft = () => {
      throw new RejectedExport(leftBehind(workspaceId, error), { cause: error });
    };
    const isDiscarded = await store.transact(discardImportScript, { workspaceId }).catch(isLeft);
    if (isDiscarded) await removeContentsOf(deps.blobs, workspaceId).catch(isLeft);
    throw error;
  }
  const formerPeople = found.formerPeople.length;
  return { workspaceId, header, knownPeople: people.length - formerPeople, formerPeople };
}

/** On a full disk even the removal may fail. */
function leftBehind(workspaceId: string, error: unknown): string {
  const isFull = error instanceof WorkspaceError && error.code === 'storage_full';
  const reason = isFull ? 'there is no space left, or a quota is reached' : String(error);
  return `The import failed: ${reason}. Its partial data, which users cannot see, could not be removed. Fix the problem, run \`npm run admin -- import-discard ${workspaceId}\`, then run the import again.`;
}

async function wholeOf(entry: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readImage(
  tar: TarReader,
  { image, workspace }: ExportHeader,
): Promise<WorkspaceImageRow | null> {
  if ((image?.contentHash ?? null) !== imageHashOf(workspace.icon)) {
    throw new RejectedExport('The image in the export is not the icon of its workspace.');
  }
  if (image === null) return null;
  const entry = await tar.next(entryNames.image, { bytes: Math.min(image.size, workspaceImageMaxBytes) });
  const bytes = await wholeOf(hashedBytes(entry, image.contentHash));
  const imageType = imageTypeOf(bytes);
  if (imageType === null)
    throw new RejectedExport('The image in the export is not a PNG, JPEG, GIF or WebP.');
  return { contentHash: image.contentHash as ContentHash, imageType, bytes };
}

/** @throws RejectedExport if an account or a person that the operator names does not exist, or is named twice */
async function matchPeople(
  { store }: Pick<Deps, 'store'>,
  people: readonly ExportRecord<'people'>[],
  accounts: ReadonlyMap<string, string>,
  ownerId: string | null,
): Promise<Omit<ImportPlan, 'header'>> {
  const requireAccount = async (id: string) => {
    const account = await store.reader.users.find(id);
    if (account !== null) return account;
    throw new RejectedExport(`There is no account ${id}; \`npm run admin -- user list\` shows the ids.`);
  };
  const used = new Set<string>();
  const matches: ImportPlan['matches'][number][] = [];
  const former: ExportRecord<'people'>[] = [];
  for (const each of people) {
    const keys = [String(each.person), ...(each.email === null ? [] : [each.email.toLowerCase()])];
    const named = keys.filter((key) => accounts.has(key));
    const [key, other] = named;
    if (other !== undefined) throw new RejectedExport(`--people names ${key} twice: also as ${other}.`);
    if (key === undefined) {
      former.push(each);
      continue;
    }
    if (used.has(key)) throw new RejectedExport(`Two people in the export have the e-mail address ${key}.`);
    used.add(key);
    const account = await requireAccount(accounts.get(key) ?? '');
    if (matches.some(({ account: { id } }) => id === account.id)) {
      throw new RejectedExport(`--people names the account ${account.id} for two people.`);
    }
    matches.push({ ...each, account });
  }
  const unknown = [...accounts.keys()].find((key) => !used.has(key));
  if (unknown !== undefined)
    throw new RejectedExport(`The export has no person ${unknown}, whom --people names.`);
  return { matches, former, owner: ownerId === null ? null : await requireAccount(ownerId) };
}

/** @throws RejectedExport if the workspace would have no owner */
function standingsOf(
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  people: readonly ExportRecord<'people'>[],
  { header, matches, former, owner }: ImportPlan,
) {
  const userIds = new Map<number, string>();
  const standings = new Map<string, Existing>();
  const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));
  for (const { person, role, joinedAt, joinedSeq, removedAt, account } of matches) {
    userIds.set(person, account.id);
    if (role === null && removedAt === null) continue;
    standings.set(account.id, {
      userId: account.id,
      role,
      joinedAt: timeOf(joinedAt),
      joinedSeq,
      removedAt: timeOf(removedAt),
    });
  }
  const formerPeople = former.map(({ person, name }) => {
    const id = ids('user');
    userIds.set(person, id);
    return { id, name, email: `${id.toLowerCase()}${formerDomain}` };
  });
  if (owner !== null) {
    const known = standings.get(owner.id);
    standings.set(owner.id, {
      userId: owner.id,
      role: 'owner',
      joinedAt: known?.joinedAt ?? clock(),
      joinedSeq: known?.joinedSeq ?? header.workspace.head,
      removedAt: known?.removedAt ?? null,
    });
  }
  if (![...standings.values()].some(({ role }) => role === 'owner')) {
    const owners = people.filter(({ role }) => role === 'owner');
    const named = owners.slice(0, 5).map(({ person, name }) => `${person} "${name}"`);
    throw new RejectedExport(
      `The workspace would have no owner: name an account by its id with --owner, or one for an owner of the export (${named.join(', ')}) with --people. \`npm run admin -- user list\` shows the ids.`,
    );
  }
  return { userIds, standings: [...standings.values()], formerPeople };
}

/** Reads the rest of the tar: current files by their path, then all other contents. */
async function takeContents(
  deps: Deps,
  tar: TarReader,
  folder: string,
  {
    workspaceId,
    limitBytes,
    header: { records },
  }: { readonly workspaceId: string; readonly limitBytes: number; readonly header: ExportHeader },
  progress: (step: string) => void,
): Promise<void> {
  const { store, blobs, clock } = deps;
  const held = new Set<string>();
  let waiting: ImportedContent[] = [];
  let waitingBytes = 0;
  const keep = async () => {
    if (waiting.length === 0) return;
    await store.transact(keepContentsScript, { workspaceId, contents: waiting, now: clock() });
    waiting = [];
    waitingBytes = 0;
  };
  const take = async (name: string, contentHash: string, size: number) => {
    const bytes = hashedBytes(await tar.next(name, { bytes: size }), contentHash);
    if (held.has(contentHash)) {
      for await (const chunk of bytes) void chunk;
      return;
    }
    const { content } = await receiveContent(blobs, workspaceId, bytes, limitBytes);
    held.add(contentHash);
    waiting.push(content);
    waitingBytes += content.location.kind === 'inline' ? content.sizeBytes : 0;
    if (waiting.length >= contentsAtOnce.count || waitingBytes >= contentsAtOnce.bytes) await keep();
    progress(`${held.size} of ${records.contents.lines} contents`);
  };
  for await (const line of readLines(spooled(folder, 'files'))) {
    const { path, size, contentHash } = line as ExportRecord<'files'>;
    const name = archiveName(path as WorkspacePath);
    if (name !== null) await take(entryNames.file(name), contentHash, size);
  }
  for await (const line of readLines(spooled(folder, 'contents'))) {
    const { size, contentHash } = line as ExportRecord<'contents'>;
    if (!held.has(contentHash)) await take(entryNames.content(contentHash), contentHash, size);
  }
  await keep();
}

async function insertRows(
  { store, ids }: Deps,
  folder: string,
  {
    workspaceId,
    userIds,
    header: { records },
  }: {
    readonly workspaceId: string;
    readonly userIds: ReadonlyMap<number, string>;
    readonly header: ExportHeader;
  },
  progress: (step: string) => void,
): Promise<void> {
  const threadIds = new Map<number, string>();
  const userIdOf = (person: number) => {
    const userId = userIds.get(person);
    if (userId === undefined) throw new Error(`person ${person} was looked for and not found before`);
    return userId;
  };
  for (const kind of exportedKinds) {
    if (kind === 'contents') continue;
    let rows: ExportedRow[] = [];
    let characters = 0;
    let inserted = 0;
    const insert = async () => {
      if (rows.length > 0) await store.transact(insertRowsScript, { workspaceId, kind, rows });
      inserted += rows.length;
      rows = [];
      characters = 0;
      progress(`${inserted} of ${records[kind].lines} ${kind}`);
    };
    for await (const line of readLines(spooled(folder, kind))) {
      const row = rowOf(kind, line as ExportRecord, userIdOf);
      rows.push(withIds(row));
      characters += typeof row.body === 'string' ? row.body.length : 0;
      if (rows.length >= rowsAtOnce || characters >= rowCharactersAtOnce) await insert();
    }
    await insert();

    function withIds(row: ExportedRow): ExportedRow {
      if (kind === 'threads') {
        const id = ids('thread');
        threadIds.set(Number(row.seq), id);
        return { ...row, id };
      }
      if (kind === 'replies') {
        return { ...row, id: ids('entry'), threadId: threadIds.get(Number(row.threadSeq)) ?? null };
      }
      return row;
    }
  }
}
