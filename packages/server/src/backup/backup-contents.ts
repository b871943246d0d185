import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isContent } from '../service/contents/is-content.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { BlobLocation } from '../service/ports/blobs.ts';
import type { CheckedContent } from '../service/ports/checks.ts';
import { needingRoom } from '../storage/no-room.ts';
import { isAbsent, listBackups, locationsIn, RejectedBackup, readManifest } from './manifest.ts';
import { openObjectFolder } from './object-folder.ts';
import { assemble, bringBack } from './put-back.ts';

/** The contents of all backups in a directory. */
export interface BackupContents extends AsyncDisposable {
  /**
   * Restores a verified content: returns small bytes as they are, uploads large ones to the store.
   * @returns their location; null if no backup has the right bytes
   */
  bringBack(content: BackedUpContent, blobs: BlobStore): Promise<BlobLocation | null>;
}

export type BackedUpContent = Pick<CheckedContent, 'workspaceId' | 'contentHash' | 'generation'>;

/** Number of newest backups to search. A content that was damaged before all of them is not searched further. */
const databasesMax = 20;
const copyPrefix = '.from-backup-';
const roomAdvice =
  'Small contents are restored from a temporary copy of the database in the backup, which needs space there. Free some space and run the command again.';
/** An older copy was left by an interrupted run. */
const leftAfterMs = 24 * 60 * 60 * 1000;

/**
 * Opens the contents of a directory's backups. Small contents exist only in the databases of backups: these are
 * assembled one at a time, newest first, when a small content is needed.
 * @param workFolder must have room for one database
 */
export async function openBackupContents(directory: string, workFolder: string): Promise<BackupContents> {
  const objects = openObjectFolder(locationsIn(directory).objects);
  const names = (await listBackups(directory)).toReversed();
  const copy = join(workFolder, `${copyPrefix}${randomBytes(8).toString('hex')}`);
  let open: { readonly name: string; readonly database: DatabaseSync } | null = null;
  const close = async () => {
    open?.database.close();
    open = null;
    await rm(copy, { force: true });
  };
  await removeLeftovers(workFolder);

  /** @returns null if a backup has no database, or a damaged one */
  const databaseOf = async (name: string): Promise<DatabaseSync | null> => {
    if (open?.name === name) return open.database;
    await close();
    try {
      const { database } = await readManifest(directory, name);
      if (database.kind !== 'sqlite') return null;
      await needingRoom(workFolder, roomAdvice, () => assemble(objects, database, copy));
    } catch (error) {
      // Also applies to a backup that was removed in between: try the next one.
      if (error instanceof RejectedBackup || isAbsent(error)) return null;
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

/** An installation without a data directory has no such folder, and no database in its backups. */
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

/** Opens the directory for each call, so that new backups count. */
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
