import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stateFileName } from './database-files.ts';
import { namedDiskTrouble, onDisk } from './disk-troubles.ts';
import { findDamage, isDamage, putFilesAside } from './open-database.ts';

/**
 * What SQLite finds wrong with what is kept in a hidden folder; null where it is sound, or nothing is kept yet.
 * @throws StateDiskError: nothing is known of what it holds.
 */
export function findStateDamage(hiddenFolder: string): string | null {
  const file = join(hiddenFolder, stateFileName);
  if (!existsSync(file)) return null;
  try {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    try {
      return findDamage(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Error && isDamage(error)) return error.message;
    throw namedDiskTrouble(error, hiddenFolder);
  }
}

/** The caller has the folder's lock. @returns where it is now. @throws StateDiskError */
export function putStateAside(hiddenFolder: string): string {
  return onDisk(hiddenFolder, () => putFilesAside(join(hiddenFolder, stateFileName)));
}
