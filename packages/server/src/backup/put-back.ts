// docs/decisions/0027-backups.md
import { createHash } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ContentHash, headAfterRestore } from '@stoa/core';
import type { BlobStore } from '../service/ports/blob-store.ts';
import { databaseFile, restoreMarker } from '../start/prepare-data-dir.ts';
import { makeFolders, syncFolder } from '../storage/blobs/disk/durable-folders.ts';
import { needingRoom } from '../storage/no-room.ts';
import { withDatabase } from './make-backup.ts';
import { isAbsent, isThere, locationsIn, lockFile, type Manifest, RejectedBackup } from './manifest.ts';
import { type ObjectFolder, openObjectFolder, WrongBytes } from './object-folder.ts';

const staged = `${databaseFile}.restoring`;
const roomAdvice =
  'The backup is unchanged. Free some space and run the command again, or set STOA_DATA_DIR to an empty directory on a larger disk.';

/** Backups share identical chunks. */
const takeAnother =
  'Other backups may share that chunk: `npm run admin -- backup list <directory> --contents` shows which backups have an intact database. Use one of these (--at).';

interface RestoreTarget {
  readonly dataDir: string;
  readonly openBlobs: () => Promise<BlobStore>;
}

type SqliteDatabase = Extract<Manifest['database'], { kind: 'sqlite' }>;
type SqliteManifest = Manifest & { readonly database: SqliteDatabase };

/**
 * Restores a backup of a SQLite installation into an empty data directory, and verifies every byte. The database gets
 * its name after everything else is done. The feed of each workspace is advanced past every number used before
 * (invariant I8).
 * @param target its store of large contents is opened when the data directory exists
 * @throws RejectedBackup if the backup is damaged, or unless the target is empty or left by an interrupted restore;
 * NoRoom
 */
export async function putBack(
  directory: string,
  manifest: Manifest,
  target: RestoreTarget,
  progress: (step: string) => void,
): Promise<void> {
  const { database } = manifest;
  if (database.kind !== 'sqlite') {
    throw new RejectedBackup(
      'This backup does not contain the PostgreSQL database: restore it with its own tools.',
    );
  }
  const { dataDir } = target;
  await needingRoom(dataDir, roomAdvice, async () => {
    await makeFolders(dataDir);
    await rejectFull(dataDir);
    const marker = join(dataDir, restoreMarker);
    const lock = lockFile(marker, `Another restore into ${dataDir} is running: wait until it ends.`);
    try {
      await removeHalf(dataDir);
      await fillEmpty(directory, { ...manifest, database }, target, progress);
      await rm(marker);
    } finally {
      lock[Symbol.dispose]();
    }
  });
}

async function fillEmpty(
  directory: string,
  manifest: SqliteManifest,
  { dataDir, openBlobs }: RestoreTarget,
  progress: (step: string) => void,
): Promise<void> {
  const { database, placeId: locationId, sessionSecret } = manifest;
  const file = join(dataDir, staged);
  const blobs = await openBlobs();
  if ((await blobs.readPlaceId()) !== null) {
    throw new RejectedBackup(
      'The location in STOA_BLOB_URL belongs to an installation: use an empty bucket or prefix.',
    );
  }
  const objects = openObjectFolder(locationsIn(directory).objects);
  progress('the database');
  await assemble(objects, database, file);
  await withDatabase(new DatabaseSync(file), async (copy) => {
    copy.exec('pragma synchronous = full');
    await fillBlobs(copy, objects, blobs, progress);
    const now = Date.now();
    copy.function('head_after_restore', (head) => BigInt(headAfterRestore(Number(head), now)));
    copy.exec('update workspace_counter set seq = head_after_restore(seq)');
  });
  if (!(await isThere(directory, manifest))) {
    throw new RejectedBackup(
      'The backup was removed during the restore (`backup prune`), and some of it may have been missing already: use another one.',
    );
  }
  if (locationId !== null) await blobs.keepPlaceId(locationId);
  if (sessionSecret !== null) await writeDurably(join(dataDir, 'session-secret'), sessionSecret);
  // Every other file must have its name on disk before the database does.
  await syncFolder(dataDir, () => {});
  await rename(file, join(dataDir, databaseFile));
  await syncFolder(dataDir, () => {});
}

/**
 * If its database is in place a restore is complete, even if it was interrupted later: an installation is never
 * touched.
 */
async function rejectFull(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir);
  const isHalf = names.includes(restoreMarker) && !names.includes(databaseFile);
  if (names.length > 0 && !isHalf) {
    throw new RejectedBackup(
      `The data directory ${dataDir} is not empty: a restore needs an empty one. Move its contents away, or set STOA_DATA_DIR to another path.`,
    );
  }
  return names;
}

/** Checks again, now that the lock excludes other processes. */
async function removeHalf(dataDir: string): Promise<void> {
  for (const name of await rejectFull(dataDir)) {
    if (!name.startsWith(restoreMarker)) await rm(join(dataDir, name), { recursive: true });
  }
}

/** Assembles a database from its chunks. @throws RejectedBackup if the result is not the original */
export async function assemble(
  objects: ObjectFolder,
  { pieces: chunks, bytes, sha256 }: SqliteDatabase,
  file: string,
): Promise<void> {
  const whole = createHash('sha256');
  const handle = await open(file, 'w', 0o600);
  let written = 0;
  try {
    for (const part of chunks) {
      for await (const chunk of readChunk(objects, part)) {
        whole.update(chunk);
        await handle.writeFile(chunk);
        written += chunk.byteLength;
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (written !== bytes || whole.digest('hex') !== sha256) {
    throw new RejectedBackup(
      `The backup of the database is damaged: the assembled chunks have the wrong hash. ${takeAnother}`,
    );
  }
}

async function* readChunk(objects: ObjectFolder, chunk: string): AsyncGenerator<Uint8Array> {
  try {
    yield* objects.read(chunk);
  } catch (error) {
    throw new RejectedBackup(
      `The backup of the database is damaged: its chunk ${chunk} is missing or damaged. ${takeAnother}`,
      { cause: error },
    );
  }
}

/** Copies the large contents to the new location, where they get new names. */
async function fillBlobs(
  copy: DatabaseSync,
  objects: ObjectFolder,
  blobs: BlobStore,
  progress: (step: string) => void,
): Promise<void> {
  const named = copy
    .prepare('select workspace_id, content_hash from blob where generation is not null')
    .all()
    .map(({ workspace_id, content_hash }) => ({
      workspaceId: String(workspace_id),
      contentHash: String(content_hash),
    }));
  const moveContent = copy.prepare(
    'update blob set generation = ? where workspace_id = ? and content_hash = ?',
  );
  let bytes = 0;
  copy.exec('begin');
  for (const [index, { workspaceId, contentHash }] of named.entries()) {
    const kept = await bringBack(objects, blobs, workspaceId, contentHash);
    // The check afterwards reports contents that are missing or damaged in the backup.
    if (kept !== null) {
      moveContent.run(kept.generation, workspaceId, contentHash);
      bytes += kept.sizeBytes;
    }
    progress(`${index + 1} of ${named.length} large contents, ${bytes} bytes`);
  }
  copy.exec('commit');
}

/** Uploads a content by its hash. @returns null if the source does not have it, or has it damaged */
export async function bringBack(
  objects: Pick<ObjectFolder, 'read'>,
  blobs: BlobStore,
  workspaceId: string,
  contentHash: string,
): Promise<{ readonly generation: string; readonly sizeBytes: number } | null> {
  const upload = await blobs.beginUpload(workspaceId);
  let sizeBytes = 0;
  try {
    for await (const chunk of objects.read(contentHash)) {
      sizeBytes += chunk.byteLength;
      await upload.write(chunk);
    }
    // The bytes were just verified to have this hash.
    const content = { contentHash: contentHash as ContentHash, sizeBytes };
    return { generation: await upload.finish(content), sizeBytes };
  } catch (error) {
    if (error instanceof WrongBytes || isAbsent(error)) return null;
    throw error;
  } finally {
    await upload[Symbol.asyncDispose]();
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
