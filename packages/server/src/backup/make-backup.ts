// docs/decisions/0027-backups.md
import { createHash, hash as hashOf } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { WorkspaceError } from '@stoa/core';
import { sumContents } from '../service/checking/sum-contents.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { CheckedContent } from '../service/ports/checks.ts';
import type { Reader } from '../service/ports/reader.ts';
import { makeFolders } from '../storage/blobs/disk/durable-folders.ts';
import { needingRoom } from '../storage/no-room.ts';
import { createReader } from '../storage/queries/create-reader.ts';
import { compileQueries } from '../storage/queries/queries.ts';
import { sqliteDialect } from '../storage/queries/query-dialect.ts';
import { createSqliteExecutor } from '../storage/sqlite/sqlite-executor.ts';
import { isAbsent, locationsIn, lockFile, type Manifest, RejectedBackup, writeManifest } from './manifest.ts';
import { isUnreadable, openObjectFolder, WrongBytes } from './object-folder.ts';

/** The rows that name the contents of a backup. */
type BackedUpRows = Pick<Reader, 'checks' | 'scrub'>;

/** The source of a backup. */
export interface BackupSource {
  readonly database:
    | { readonly kind: 'sqlite'; readonly file: string; readonly sessionSecretFile: string }
    | { readonly kind: 'postgres'; readonly reader: BackedUpRows };
  readonly blobs: BlobStore;
}

export interface BackupReport {
  readonly name: string;
  readonly manifest: Manifest;
  /** Objects that this backup added: chunks of the database and large contents. */
  readonly added: { readonly objects: number; readonly bytes: number };
}

const roomAdvice =
  'A backup needs space there for a copy of the database and for new objects. Earlier backups are unchanged. Free some space (`npm run admin -- backup prune` removes old backups) and run the command again: it continues where it stopped.';
/** Small enough that a change of a few rows copies little, large enough that a gigabyte has a thousand chunks. */
const chunkBytes = 1024 * 1024;
const rowsOfPage = 1000;
/**
 * Copies all pages in one step, at one point in time. With several steps a busy service would restart the copy again
 * and again.
 */
const wholeAtOnce = 2 ** 31 - 1;
const sqliteIoError = 10;

/**
 * Adds a backup to a directory while the service runs: a snapshot of the database, then the large contents that it
 * names, which are never removed. Objects that exist already are not copied again, so an interrupted backup continues
 * where it stopped. Everything is verified while it is copied.
 * @param readKept whether to also read existing objects and replace damaged ones
 * @throws RejectedBackup if the copy of the database is damaged or another backup is running: then no backup is made.
 * NoRoom
 */
export async function makeBackup(
  source: BackupSource,
  directory: string,
  { readKept }: { readonly readKept: boolean },
  progress: (step: string) => void,
): Promise<BackupReport> {
  return await needingRoom(directory, roomAdvice, async () => {
    const locations = locationsIn(directory);
    await makeFolders(locations.backups);
    const lock = lockFile(
      locations.lock,
      `Another backup into ${directory}, or a prune of it, is running: wait until it ends, or use another directory.`,
    );
    try {
      return await addBackup(source, directory, readKept, progress);
    } finally {
      lock[Symbol.dispose]();
    }
  });
}

async function addBackup(
  { database, blobs }: BackupSource,
  directory: string,
  readKept: boolean,
  progress: (step: string) => void,
): Promise<BackupReport> {
  const locations = locationsIn(directory);
  const objects = openObjectFolder(locations.objects);
  await objects.clearStaging();
  const added = { objects: 0, bytes: 0 };
  const keep = async (hash: string, sizeBytes: number, bytes: () => AsyncIterable<Uint8Array>) => {
    const isThere = (await objects.sizeOf(hash)) === sizeBytes;
    if (isThere && (!readKept || (await objects.isRight(hash)))) return;
    await objects.keep(hash, bytes());
    added.objects += 1;
    added.bytes += sizeBytes;
  };
  const madeAt = new Date().toISOString();

  if (database.kind === 'postgres') {
    const moment = (await database.reader.checks.settledMoment()) ?? undefined;
    const contents = await keepContents(database.reader, blobs, keep, progress);
    const rest = { placeId: await blobs.readPlaceId(), sessionSecret: null, contents };
    const named = { kind: 'postgres', moment } as const;
    const manifest: Manifest = { format: 'stoa-backup-1', madeAt, database: named, ...rest };
    await objects.makeDurable();
    return { name: await writeManifest(directory, manifest), manifest, added };
  }

  await removeStaged(locations.staging);
  try {
    progress('the database');
    await snapshotTo(database.file, locations.staging);
    const chunks = await keepChunks(locations.staging, keep);
    const contents = await withDatabase(new DatabaseSync(locations.staging, { readOnly: true }), (copy) => {
      const executor = createSqliteExecutor(copy, async () => {});
      return keepContents(createReader(executor, compileQueries(sqliteDialect)), blobs, keep, progress);
    });
    const manifest: Manifest = {
      format: 'stoa-backup-1',
      madeAt,
      database: { kind: 'sqlite', ...chunks },
      placeId: await blobs.readPlaceId(),
      sessionSecret: await readIfThere(database.sessionSecretFile),
      contents,
    };
    await objects.makeDurable();
    return { name: await writeManifest(directory, manifest), manifest, added };
  } finally {
    await removeStaged(locations.staging);
  }
}

/** Also removes the journal of a copy that failed or was interrupted. */
async function removeStaged(staged: string): Promise<void> {
  for (const file of [staged, `${staged}-journal`]) await rm(file, { force: true });
}

/** Null if the secret is a setting. */
async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Copies a snapshot of the database to one file, and checks it. */
async function snapshotTo(file: string, staged: string): Promise<void> {
  await withDatabase(new DatabaseSync(file, { readOnly: true }), (source) =>
    copyDatabase(source, staged, { rate: wholeAtOnce }).catch((error: unknown) => {
      throw isFailedTransfer(error) ? new RejectedBackup(notCopied(staged), { cause: error }) : error;
    }),
  );
  const lines = await withDatabase(new DatabaseSync(staged), async (copy) => {
    // Without a write-ahead log, so that this one file is complete.
    copy.exec('pragma journal_mode = delete');
    return copy
      .prepare('pragma quick_check(10)')
      .all()
      .map(({ quick_check }) => String(quick_check));
  });
  if (lines.join() !== 'ok') {
    throw new RejectedBackup(
      `The database is damaged, and was not backed up: ${lines.join('; ')}. \`npm run admin -- check\` has details.`,
    );
  }
}

/**
 * A full quota cannot be distinguished from a failing disk: the partial copy is gone by then, so there is free space.
 */
function isFailedTransfer(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === sqliteIoError
  );
}

const notCopied = (staged: string) =>
  `The database could not be copied to ${staged}: a quota on that directory is reached, or one of the two disks fails. The kernel's log reports a failing disk. Otherwise free space for a copy of the whole database and run the command again.`;

/** Closes a database after its use. */
export async function withDatabase<Result>(
  database: DatabaseSync,
  use: (database: DatabaseSync) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

type Keep = (hash: string, sizeBytes: number, bytes: () => AsyncIterable<Uint8Array>) => Promise<void>;

async function keepChunks(
  file: string,
  keep: Keep,
): Promise<{ readonly bytes: number; readonly sha256: string; readonly pieces: string[] }> {
  const handle = await open(file, 'r');
  const whole = createHash('sha256');
  const chunks: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(chunkBytes), 0, chunkBytes, bytes);
      if (bytesRead === 0) return { bytes, sha256: whole.digest('hex'), pieces: chunks };
      const chunk = buffer.subarray(0, bytesRead);
      whole.update(chunk);
      const hash = hashOf('sha256', chunk);
      await keep(hash, bytesRead, async function* () {
        yield chunk;
      });
      chunks.push(hash);
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Quarantined contents cannot be read, so a backup made now does not have them. */
async function quarantinedIn(scrub: BackedUpRows['scrub']): Promise<Manifest['contents']['lost']> {
  const lost: Manifest['contents']['lost'] = [];
  let after = { workspaceId: '', contentHash: '' };
  for (;;) {
    const page = await scrub.quarantinedPage({ after, limit: rowsOfPage });
    const last = page.at(-1);
    if (last === undefined) return lost;
    lost.push(...page.map(({ workspaceId, contentHash }) => ({ workspaceId, contentHash })));
    after = last;
  }
}

/** Copies the large contents that a database names, and checks the small ones in it. */
async function keepContents(
  { checks, scrub }: BackedUpRows,
  blobs: BlobStore,
  keep: Keep,
  progress: (step: string) => void,
): Promise<Manifest['contents']> {
  /** Takes about 100 bytes of memory for each content. */
  const named = new Set<string>();
  const { large } = await sumContents(checks);
  const contents: Manifest['contents'] = { count: 0, bytes: 0, lost: await quarantinedIn(scrub) };
  let after = { workspaceId: '', contentHash: '' };
  for (;;) {
    const page = await checks.contentsPage({ after, limit: rowsOfPage, withBytes: false });
    const last = page.at(-1);
    if (last === undefined) return { ...contents, list: await keepList(named, keep) };
    for (const content of page) {
      if (content.generation === null) continue;
      named.add(content.contentHash);
      contents.count += 1;
      contents.bytes += content.sizeBytes;
      if (await keepContent(content, content.generation, blobs, keep)) continue;
      const { workspaceId, contentHash } = content;
      contents.lost.push({ workspaceId, contentHash });
    }
    progress(`${contents.count} of ${large.count} large contents, ${contents.bytes} of ${large.bytes} bytes`);
    after = last;
  }
}

/** @returns the hash of the list. */
async function keepList(named: ReadonlySet<string>, keep: Keep): Promise<string> {
  const bytes = Buffer.from(
    [...named]
      .toSorted()
      .map((contentHash) => `${contentHash}\n`)
      .join(''),
  );
  const list = hashOf('sha256', bytes);
  await keep(list, bytes.byteLength, async function* () {
    yield bytes;
  });
  return list;
}

/** @returns whether the backup now has the bytes */
async function keepContent(
  { workspaceId, contentHash, sizeBytes }: CheckedContent,
  generation: string,
  blobs: BlobStore,
  keep: Keep,
): Promise<boolean> {
  try {
    await keep(contentHash, sizeBytes, async function* () {
      const key = { workspaceId, contentHash, generation };
      try {
        yield* await blobs.open(key, { start: 0, end: sizeBytes, sizeBytes });
      } catch (error) {
        // A bad sector must not prevent a backup of the rest. Errors of the backup directory do not get here.
        if (isUnreadable(error)) throw new WorkspaceError('stored_bytes_missing');
        throw error;
      }
    });
    return true;
  } catch (error) {
    if (error instanceof WrongBytes) return false;
    if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing') return false;
    throw error;
  }
}
