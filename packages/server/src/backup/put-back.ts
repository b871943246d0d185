// docs/decisions/0070-backups-by-hash.md
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ContentHash, restoreJumpSeqs } from '@stoa/core';
import type { BlobStore } from '../service/ports/blob-store.ts';
import { syncFolder } from '../storage/blobs/disk/durable-folders.ts';
import { withDatabase } from './make-backup.ts';
import { type Manifest, placesIn } from './manifest.ts';
import { type ObjectFolder, openObjectFolder, WrongBytes } from './object-folder.ts';

export interface PutBackReport {
  readonly workspaces: number;
  readonly contents: number;
  readonly bytes: number;
  /** Contents that the backup has not, or not right: their files answer 502. */
  readonly lost: readonly { readonly workspaceId: string; readonly contentHash: string }[];
}

/** Tells a restore that was interrupted, and may be begun again, from an installation. */
const marker = '.restoring';
const staged = 'stoa.db.restoring';

/** A restore that cannot be done; its message says why, and what to do. */
export class RefusedRestore extends Error {
  override readonly name = 'RefusedRestore';
}

/**
 * Puts a backup of a SQLite installation into an empty data directory. Every byte is verified. The database has its name
 * only when all else is in place; the feed of each workspace goes on further up than it ever was (invariant I8).
 * @param target its store of large contents is opened once the data directory is there.
 * @throws RefusedRestore unless the target is empty, or what an interrupted restore left; when the backup is damaged.
 */
export async function putBack(
  directory: string,
  manifest: Manifest,
  target: { readonly dataDir: string; readonly openBlobs: () => Promise<BlobStore> },
  progress: (step: string) => void,
): Promise<PutBackReport> {
  const { database, placeId, sessionSecret } = manifest;
  if (database.kind !== 'sqlite') {
    throw new RefusedRestore(
      'The database is not in this backup, it is PostgreSQL: put it back by its own tools.',
    );
  }
  const { dataDir } = target;
  const file = join(dataDir, staged);
  await makeRoom(dataDir, manifest);
  const blobs = await target.openBlobs();
  if ((await blobs.readPlaceId()) !== null) {
    throw new RefusedRestore(
      'The place that STOA_BLOB_URL names belongs to an installation: give the restored one an empty bucket or prefix.',
    );
  }
  const objects = openObjectFolder(placesIn(directory).objects);
  progress('the database');
  await assemble(objects, database, file);
  const report = await withDatabase(new DatabaseSync(file), async (copy) => {
    copy.exec('pragma synchronous = full');
    const filled = await fillBlobs(copy, objects, blobs, progress);
    copy.exec(`update workspace_counter set seq = seq + ${restoreJumpSeqs}`);
    return filled;
  });
  if (placeId !== null) await blobs.keepPlaceId(placeId);
  if (sessionSecret !== null) await writeDurably(join(dataDir, 'session-secret'), sessionSecret);
  await rename(file, join(dataDir, 'stoa.db'));
  await syncFolder(dataDir, () => {});
  await rm(join(dataDir, marker));
  return report;
}

async function makeRoom(dataDir: string, { madeAt }: Manifest): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const names = await readdir(dataDir);
  if (names.length > 0 && !names.includes(marker)) {
    throw new RefusedRestore(
      `The data directory ${dataDir} is not empty: a backup is put back into an empty one only. Move what is there away, or set STOA_DATA_DIR to another place.`,
    );
  }
  await writeFile(join(dataDir, marker), `${madeAt}\n`);
  for (const name of names) if (name !== marker) await rm(join(dataDir, name), { recursive: true });
}

async function assemble(
  objects: ObjectFolder,
  { pieces, bytes, sha256 }: Extract<Manifest['database'], { kind: 'sqlite' }>,
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
    throw new RefusedRestore(
      'The backup of the database is damaged: its pieces do not make up the whole. Take an older one (--at).',
    );
  }
}

async function* readPiece(objects: ObjectFolder, piece: string): AsyncGenerator<Uint8Array> {
  try {
    yield* objects.read(piece);
  } catch (error) {
    throw new RefusedRestore(
      `The backup of the database is damaged: its piece ${piece} is missing or wrong. Take an older one (--at).`,
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
): Promise<PutBackReport> {
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
  const lost: { workspaceId: string; contentHash: string }[] = [];
  let bytes = 0;
  copy.exec('begin');
  for (const [index, content] of named.entries()) {
    const { workspaceId, contentHash } = content;
    const kept = await bringBack(objects, blobs, workspaceId, contentHash);
    if (kept === null) lost.push(content);
    else {
      moveContent.run(kept.generation, workspaceId, contentHash);
      bytes += kept.sizeBytes;
    }
    progress(`${index + 1} of ${named.length} large contents, ${bytes} bytes`);
  }
  copy.exec('commit');
  const workspaces = Number(copy.prepare('select count(*) as n from workspace').get()?.n);
  return { workspaces, contents: named.length - lost.length, bytes, lost };
}

/** Uploads a content of a backup. @returns null where the backup has it not, or not right. */
export async function bringBack(
  objects: ObjectFolder,
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
    if (error instanceof WrongBytes || isMissing(error)) return null;
    throw error;
  } finally {
    await upload[Symbol.asyncDispose]();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
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
