import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findDamage, putFilesAside, stateFileName } from './open-database.ts';

/** What SQLite finds wrong with what is kept in a hidden folder; null where it is sound, or nothing is kept yet. */
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
    return error instanceof Error ? error.message : String(error);
  }
}

/** The caller has the folder's lock. @returns where it is now. */
export function putStateAside(hiddenFolder: string): string {
  return putFilesAside(join(hiddenFolder, stateFileName));
}
