import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's codes for a file that is not a database, and for one whose pages do not fit together. */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);

export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  return damageCodes.has(error.errcode & 0xff);
}

/** While others have the file open it cannot be replaced. */
export function beginAnewAtNextStart(file: string): void {
  writeFileSync(markerOf(file), '', { mode: 0o600 });
}

/**
 * Removes an index that cannot be read, or was found damaged: all of it is derived, and is made again. Only while nobody has
 * it open.
 * @returns whether there was one.
 */
export function removeDamagedIndex(file: string): boolean {
  const marker = markerOf(file);
  if (!existsSync(marker) && isReadable(file)) return false;
  // The file last: what is left of a removal that did not end is removed at the next start.
  for (const name of [`${file}-wal`, `${file}-shm`, file, marker]) rmSync(name, { force: true });
  return true;
}

/** The first page and the length of the file are looked at: the rest shows when it is asked for. */
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
