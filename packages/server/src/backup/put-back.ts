// docs/decisions/0070-backups-by-hash.md
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
import { isAbsent, isThere, lockFile, type Manifest, placesIn, RefusedBackup } from './manifest.ts';
import { type ObjectFolder, openObjectFolder, WrongBytes } from './object-folder.ts';

const staged = `${databaseFile}.restoring`;
const roomAdvice =
  'The backup is as it was. Make room, and give the command again; or set STOA_DATA_DIR to an empty directory on a larger disk.';

/** Backups share the pieces that are the same in them. */
const takeAnother =
  'Others may share that piece: `npm run admin -- backup list <directory> --contents` shows which backups have a whole database. Take one of these (--at).';

interface RestoreTarget {
  readonly dataDir: string;
  readonly openBlobs: () => Promise<BlobStore>;
}

type SqliteDatabase = Extract<Manifest['database'], { kind: 'sqlite' }>;
type SqliteManifest = Manifest & { readonly database: SqliteDatabase };

/**
 * Puts a backup of a SQLite installation into an empty data directory. Every byte is verified. The database has its name
 * only when all else is in place; the feed of each workspace goes on further up than it ever was (invariant I8).
 * @param target its store of large contents is opened once the data directory is there.
 * @throws RefusedBackup unless the target is empty, or what an interrupted restore left; when the backup is damaged; NoRoom
 */
export async function putBack(
  directory: string,
  manifest: Manifest,
  target: RestoreTarget,
  progress: (step: string) => void,
): Promise<void> {
  const { database } = manifest;
  if (database.kind !== 'sqlite') {
    throw new RefusedBackup(
      'The database is not in this backup, it is PostgreSQL: put it back by its own tools.',
    );
  }
  const { dataDir } = target;
  await needingRoom(dataDir, roomAdvice, async () => {
    await makeFolders(dataDir);
    await refuseFull(dataDir);
    const marker = join(dataDir, restoreMarker);
    const lock = lockFile(marker, `Another restore into ${dataDir} is under way: wait until it is done.`);
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
  const { database, placeId, sessionSecret } = manifest;
  const file = join(dataDir, staged);
  const blobs = await openBlobs();
  if ((await blobs.readPlaceId()) !== null) {
    throw new RefusedBackup(
      'The place that STOA_BLOB_URL names belongs to an installation: give the restored one an empty bucket or prefix.',
    );
  }
  const objects = openObjectFolder(placesIn(directory).objects);
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
    throw new RefusedBackup(
      'The backup was removed while it was put back (`backup prune`), and some of it may have been gone already: take another one.',
    );
  }
  if (placeId !== null) await blobs.keepPlaceId(placeId);
  if (sessionSecret !== null) await writeDurably(join(dataDir, 'session-secret'), sessionSecret);
  // Everything else has its name on disk before the database has.
  await syncFolder(dataDir, () => {});
  await rename(file, join(dataDir, databaseFile));
  await syncFolder(dataDir, () => {});
}

/** With its database in place a restore is over, even where its end was cut off: an installation is never touched. */
async function refuseFull(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir);
  const isHalf = names.includes(restoreMarker) && !names.includes(databaseFile);
  if (names.length > 0 && !isHalf) {
    throw new RefusedBackup(
      `The data directory ${dataDir} is not empty: a backup is put back into an empty one only. Move what is there away, or set STOA_DATA_DIR to another place.`,
    );
  }
  return names;
}

/** Asks again, now that nobody else can be at it. */
async function removeHalf(dataDir: string): Promise<void> {
  for (const name of await refuseFull(dataDir)) {
    if (!name.startsWith(restoreMarker)) await rm(join(dataDir, name), { recursive: true });
  }
}

/** Puts a database together again from its pieces. @throws RefusedBackup when they are not what they were. */
export async function assemble(
  objects: ObjectFolder,
  { pieces, bytes, sha256 }: SqliteDatabase,
  file: string,
): Promise<void> {
  const whole = createHash('sha256');
  const handle = await open(file, 'w', 0o600);
  let written = 0;
  try {
    for (const piece of pieces) {
      for await (const chunk of readPiece(objects, piece)) {
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
    throw new RefusedBackup(
      `The backup of the database is damaged: its pieces do not make up the whole. ${takeAnother}`,
    );
  }
}

async function* readPiece(objects: ObjectFolder, piece: string): AsyncGenerator<Uint8Array> {
  try {
    yield* objects.read(piece);
  } catch (error) {
    throw new RefusedBackup(
      `The backup of the database is damaged: its piece ${piece} is missing or wrong. ${takeAnother}`,
      { cause: error },
    );
  }
}

/** Brings the large contents to the new place, where they have new names. */
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
    // What the backup has not, or not right, the check afterwards names.
    if (kept !== null) {
      moveContent.run(kept.generation, workspaceId, contentHash);
      bytes += kept.sizeBytes;
    }
    progress(`${index + 1} of ${named.length} large contents, ${bytes} bytes`);
  }
  copy.exec('commit');
}

/** Uploads a content by its hash. @returns null where what is read from has it not, or not right. */
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
    // Its name is the hash that the bytes were just found to have.
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
