import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stateFileName } from './database-files.ts';
import { namedDiskTrouble, onDisk } from './disk-troubles.ts';
import { findDamage, isDamage, quarantineFiles } from './open-database.ts';

/**
 * The damage that SQLite finds in the state of a hidden folder; null if it is intact or missing.
 * @throws StateDiskError if the state cannot be read
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

/** Quarantines the state. The caller holds the folder's lock. @returns its new path @throws StateDiskError */
export function quarantineState(hiddenFolder: string): string {
  return onDisk(hiddenFolder, () => quarantineFiles(join(hiddenFolder, stateFileName)));
}
