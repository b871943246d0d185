import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's codes for a file that is not a database, and for a corrupt one. */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);

export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  return damageCodes.has(error.errcode & 0xff);
}

/** The file cannot be replaced while other threads or processes have it open. */
export function rebuildAtNextStart(file: string): void {
  writeFileSync(markerOf(file), '', { mode: 0o600 });
}

/**
 * Removes an index that is unreadable or was found damaged, since it can be rebuilt. The file must not be open
 * anywhere.
 * @returns whether it was removed.
 */
export function removeDamagedIndex(file: string): boolean {
  const marker = markerOf(file);
  if (!existsSync(marker) && isReadable(file)) return false;
  // The file last: the remains of an interrupted removal are removed at the next start.
  for (const name of [`${file}-wal`, `${file}-shm`, file, marker]) rmSync(name, { force: true });
  return true;
}

/** Checks the first page and the length of the file: other damage shows when it is read. */
function isReadable(file: string): boolean {
  if (!existsSync(file)) return true;
  const db = new DatabaseSync(file);
  try {
    db.prepare('select name from sqlite_schema').all();
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}

function markerOf(file: string): string {
  return `${file}-damaged`;
}
