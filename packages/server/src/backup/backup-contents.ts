import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isContent } from '../service/contents/is-content.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { BlobLocation } from '../service/ports/blobs.ts';
import type { CheckedContent } from '../service/ports/checks.ts';
import { needingRoom } from '../storage/no-room.ts';
import { isAbsent, listBackups, placesIn, RefusedBackup, readManifest } from './manifest.ts';
import { openObjectFolder } from './object-folder.ts';
import { assemble, bringBack } from './put-back.ts';

/** The contents of all backups in a directory. */
export interface BackupContents extends AsyncDisposable {
  /**
   * Brings a content back: small bytes as they are, large ones into the store. They were verified.
   * @returns where they are now; null where no backup has them right.
   */
  bringBack(content: BackedUpContent, blobs: BlobStore): Promise<BlobLocation | null>;
}

export type BackedUpContent = Pick<CheckedContent, 'workspaceId' | 'contentHash' | 'generation'>;

/** Of the newest: a content that was wrong before all of them is looked for no further. */
const databasesMax = 20;
const copyPrefix = '.from-backup-';
const roomAdvice =
  'Small contents are brought back from a copy of the backed up database, which is put there meanwhile. Make room for it, and give the command again.';
/** A copy that is older was left by a run that was cut off. */
const leftAfterMs = 24 * 60 * 60 * 1000;

/**
 * Small contents are in the backed up databases alone: one after the other is put together again, newest first, when a small
 * content is asked for.
 * @param workFolder has room for one database.
 */
export async function openBackupContents(directory: string, workFolder: string): Promise<BackupContents> {
  const objects = openObjectFolder(placesIn(directory).objects);
  const names = (await listBackups(directory)).toReversed();
  const copy = join(workFolder, `${copyPrefix}${randomBytes(8).toString('hex')}`);
  let open: { readonly name: string; readonly database: DatabaseSync } | null = null;
  const close = async () => {
    open?.database.close();
    open = null;
    await rm(copy, { force: true });
  };
  await removeLeftovers(workFolder);

  /** @returns null where a backup has no database, or not right. */
  const databaseOf = async (name: string): Promise<DatabaseSync | null> => {
    if (open?.name === name) return open.database;
    await close();
    try {
      const { database } = await readManifest(directory, name);
      if (database.kind !== 'sqlite') return null;
      await needingRoom(workFolder, roomAdvice, () => assemble(objects, database, copy));
    } catch (error) {
      // Also one that was removed meanwhile: the next is looked at.
      if (error instanceof RefusedBackup || isAbsent(error)) return null;
      throw error;
    }
    open = { name, database: new DatabaseSync(copy, { readOnly: true }) };
    return open.database;
  };

  return {
    async bringBack({ workspaceId, contentHash, generation }, blobs) {
      if (generation !== null) {
        const kept = await bringBack(objects, blobs, workspaceId, contentHash);
        return kept === null ? null : { kind: 'stored', generation: kept.generation };
      }
      for (const name of names.slice(0, databasesMax)) {
        const row = (await databaseOf(name))
          ?.prepare('select bytes from blob where workspace_id = ? and content_hash = ?')
          .get(workspaceId, contentHash);
        if (row?.bytes instanceof Uint8Array && isContent(row.bytes, contentHash)) {
          return { kind: 'inline', bytes: row.bytes };
        }
      }
      return null;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Where nothing is kept on a disk, there is no such folder, and no database in the backups. */
async function removeLeftovers(workFolder: string): Promise<void> {
  const names = await readdir(workFolder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  for (const name of names.filter((each) => each.startsWith(copyPrefix))) {
    const file = join(workFolder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > leftAfterMs) await rm(file, { force: true });
  }
}

/** Looks in what is in the directory by then. */
export async function bringBackFrom(
  directory: string,
  workFolder: string,
  content: BackedUpContent,
  blobs: BlobStore,
): Promise<BlobLocation | null> {
  const backup = await openBackupContents(directory, workFolder);
  try {
    return await backup.bringBack(content, blobs);
  } finally {
    await backup[Symbol.asyncDispose]();
  }
}
