// docs/decisions/0071-exports-are-tar-and-json-lines.md
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
  RefusedExport,
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
import { type ExportedRow, exportedKinds, type Standing } from '../service/ports/exports.ts';
import type { WorkspaceImageRow } from '../service/ports/workspace-images.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import { cleanThemeCss } from '../service/themes/clean-theme-css.ts';
import { needingRoom } from '../storage/no-room.ts';
import { removeContentsOf } from './discard-import.ts';
import { parseHeader, understandRecords } from './read-records.ts';
import { hashedBytes, openTar, type TarReader } from './read-tar.ts';

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock' | 'ids' | 'plans'>;

export interface ImportOptions {
  /** Whoever is to own the workspace, whatever the export says. */
  readonly ownerEmail: string | null;
  readonly planId: string | null;
}

export interface ImportReport {
  readonly workspaceId: string;
  readonly header: ExportHeader;
  /** Accounts of this installation that people of the export were found to have. */
  readonly knownPeople: number;
  readonly formerPeople: number;
}

const roomAdvice =
  'The records of an export are unpacked there meanwhile. Make room, or set TMPDIR to a folder on another disk, and give the command again.';
const rowsAtOnce = 200;
const rowCharactersAtOnce = 512 * 1024;
const contentsAtOnce = { count: 100, bytes: 1024 * 1024 };

/**
 * Makes a new workspace of an export: all of it or nothing. Nobody sees anything of it before it is whole.
 * @throws RefusedExport, NoRoom, WorkspaceError `invalid_request` for an unknown plan, and where the plan allows less
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
  { ownerEmail, planId }: ImportOptions,
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
    throw new RefusedExport(
      `The export has a content of ${largestFileBytes} bytes, and a file may have ${limitBytes} here: name another plan (--plan), or raise STOA_MAX_FILE_BYTES.`,
    );
  }
  const found = await findPeople(deps, people, ownerEmail, header.workspace.head);

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
      throw new RefusedExport(
        `What the export says cannot be true, so nothing of it was kept:\n${wrong.slice(0, 5).join('\n')}`,
      );
    }
    await store.transact(finishImportScript, {
      ...{ workspaceId, seq: head, image, now: clock() },
      standings: found.standings,
      formerPeople: found.formerPeople,
    });
  } catch (error) {
    const isLeft = () => {
      throw new RefusedExport(leftBehind(workspaceId, error), { cause: error });
    };
    const isDiscarded = await store.transact(discardImportScript, { workspaceId }).catch(isLeft);
    if (isDiscarded) await removeContentsOf(deps.blobs, workspaceId).catch(isLeft);
    throw error;
  }
  const formerPeople = found.formerPeople.length;
  return { workspaceId, header, knownPeople: people.length - formerPeople, formerPeople };
}

/** On a full disk there may be no room for removing, too. */
function leftBehind(workspaceId: string, error: unknown): string {
  const isFull = error instanceof WorkspaceError && error.code === 'storage_full';
  const reason = isFull ? 'there is no room for it, or a quota is reached' : String(error);
  return `The import failed: ${reason}. What it had written could not be removed; nobody sees it. Put that right, run \`npm run admin -- import-discard ${workspaceId}\`, and give the command again.`;
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
    throw new RefusedExport('The export has another image than the icon of its workspace names.');
  }
  if (image === null) return null;
  const entry = await tar.next(entryNames.image, { bytes: Math.min(image.size, workspaceImageMaxBytes) });
  const bytes = await wholeOf(hashedBytes(entry, image.contentHash));
  const imageType = imageTypeOf(bytes);
  if (imageType === null) throw new RefusedExport('The image in the export is not a PNG, JPEG, GIF or WebP.');
  return { contentHash: image.contentHash as ContentHash, imageType, bytes };
}

/** Who of the people has an account here, by the e-mail address; the others are people who have left. */
async function findPeople(
  { store, ids, clock }: Deps,
  people: readonly ExportRecord<'people'>[],
  ownerEmail: string | null,
  head: number,
) {
  const userIds = new Map<number, string>();
  const standings = new Map<string, Standing>();
  const formerPeople: { id: string; name: string; email: string }[] = [];
  const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));
  const findByEmail = (email: string) => store.reader.users.findByEmail(email.toLowerCase());
  for (const { person, name, email, role, joinedAt, joinedSeq, removedAt } of people) {
    const user = email === null ? null : await findByEmail(email);
    if (user === null) {
      const id = ids('user');
      userIds.set(person, id);
      formerPeople.push({ id, name, email: `${id.toLowerCase()}${formerDomain}` });
      continue;
    }
    if ([...userIds.values()].includes(user.id)) {
      throw new RefusedExport(`Two people in the export have the e-mail address ${email}.`);
    }
    userIds.set(person, user.id);
    if (role === null && removedAt === null) continue;
    standings.set(user.id, {
      userId: user.id,
      role,
      joinedAt: timeOf(joinedAt),
      joinedSeq,
      removedAt: timeOf(removedAt),
    });
  }
  if (ownerEmail !== null) {
    const owner = await findByEmail(ownerEmail);
    if (owner === null) {
      throw new RefusedExport(
        `No account has the e-mail address ${ownerEmail}: make one (user create) first.`,
      );
    }
    const known = standings.get(owner.id);
    standings.set(owner.id, {
      userId: owner.id,
      role: 'owner',
      joinedAt: known?.joinedAt ?? clock(),
      joinedSeq: known?.joinedSeq ?? head,
      removedAt: known?.removedAt ?? null,
    });
  }
  if (![...standings.values()].some(({ role }) => role === 'owner')) {
    throw new RefusedExport(
      'None of the owners in the export has an account here: make one with the same e-mail address (user create), or name who is to own the workspace (--owner).',
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
