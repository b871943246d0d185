import { DatabaseSync } from 'node:sqlite';

/** Below this the log that commits rest on had a fault that could lose one of them. */
const oldestSafeVersion = [3, 51, 3] as const;
/** An operator's command or a backup may hold the database for a while; nothing here holds it for longer. */
export const busyTimeoutMs = 15_000;
const synchronousFull = 2;

/** How much of the database a connection keeps in memory, in KiB. */
const cacheKiB = { write: 65_536, read: 16_384, 'long-read': 65_536 };

/**
 * Opens the database so that a commit that returned is on disk, and reads the settings back: a file system that cannot
 * keep them must be found at start and not after a power cut.
 *
 * @param access `long-read`: also what comes in another order than it is stored in, such as the versions of a listing's
 *   files, is found in the cache. With the smaller one the statements of a listing of 100,000 files with details take 1.7 times
 *   as much processor time.
 * @throws Error with a sentence for the operator.
 */
export function openConnection(file: string, access: keyof typeof cacheKiB): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    refuseOldSqlite(db);
    db.exec('pragma journal_mode = wal');
    db.exec(`pragma synchronous = ${synchronousFull}`);
    // The writer checkpoints by itself, where an error is seen instead of swallowed.
    db.exec('pragma wal_autocheckpoint = 0');
    db.exec(`pragma journal_size_limit = ${64 * 1024 * 1024}`);
    db.exec(`pragma cache_size = ${-cacheKiB[access]}`);
    db.exec('pragma temp_store = memory');
    refuseUnsafeSettings(db, file);
    if (access !== 'write') db.exec('pragma query_only = 1');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseOldSqlite(db: DatabaseSync): void {
  const version = String(Object.values(db.prepare('select sqlite_version()').get() ?? {})[0]);
  const parts = version.split('.').map(Number);
  for (const [index, oldest] of oldestSafeVersion.entries()) {
    const part = parts[index] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw new Error(
        `SQLite ${version} is older than ${oldestSafeVersion.join('.')}: run a newer version of Node.js.`,
      );
    }
  }
}

function refuseUnsafeSettings(db: DatabaseSync, file: string): void {
  const journalMode = db.prepare('pragma journal_mode').get()?.journal_mode;
  const synchronous = db.prepare('pragma synchronous').get()?.synchronous;
  if (journalMode === 'wal' && synchronous === synchronousFull) return;
  throw new Error(
    `The database ${file} cannot be written durably (journal mode ${journalMode}, synchronous ${synchronous}): ` +
      'put the data directory on a local file system.',
  );
}
