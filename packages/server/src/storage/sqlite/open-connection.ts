import { DatabaseSync } from 'node:sqlite';
import { sqliteFailureOf } from './sqlite-executor.ts';

/** Older versions have a bug in the write-ahead log that can lose a commit. */
const oldestSafeVersion = [3, 51, 3] as const;
/** An operator's command or a backup may lock the database for a while; nothing here locks it for longer. */
export const busyTimeoutMs = 15_000;
const synchronousFull = 2;
const modePauseMs = 20;

/** Cache of a connection, in KiB. */
const cacheKiB = { write: 65_536, read: 16_384, 'long-read': 65_536 };

/**
 * Opens the database with durable commits, and reads the settings back: a file system that cannot support them must be
 * found at start and not after a power cut.
 *
 * @param access `long-read`: the cache also holds rows that are read in another order than they are stored in, such as
 * the versions of a listing's files. With the smaller one the statements of a listing of 100,000 files with details
 * take 1.7 times as much processor time.
 * @throws Error with a message for the operator.
 */
export function openConnection(file: string, access: keyof typeof cacheKiB): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    rejectOldSqlite(db);
    useLog(db);
    db.exec(`pragma synchronous = ${synchronousFull}`);
    // The writer runs checkpoints itself, where an error is noticed instead of swallowed.
    db.exec('pragma wal_autocheckpoint = 0');
    db.exec(`pragma journal_size_limit = ${64 * 1024 * 1024}`);
    db.exec(`pragma cache_size = ${-cacheKiB[access]}`);
    db.exec('pragma temp_store = memory');
    rejectUnsafeSettings(db, file);
    if (access !== 'write') db.exec('pragma query_only = 1');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite does not wait for another process that changes the mode at the same moment, as at the first start of two. */
function useLog(db: DatabaseSync): void {
  const giveUpAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (sqliteFailureOf(error)?.kind !== 'busy' || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, modePauseMs);
    }
  }
}

function rejectOldSqlite(db: DatabaseSync): void {
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

function rejectUnsafeSettings(db: DatabaseSync, file: string): void {
  const journalMode = db.prepare('pragma journal_mode').get()?.journal_mode;
  const synchronous = db.prepare('pragma synchronous').get()?.synchronous;
  if (journalMode === 'wal' && synchronous === synchronousFull) return;
  throw new Error(
    `The database ${file} cannot be written durably (journal mode ${journalMode}, synchronous ${synchronous}): ` +
      'put the data directory on a local file system.',
  );
}
