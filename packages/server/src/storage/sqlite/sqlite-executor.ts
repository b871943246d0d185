import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Executor } from '../queries/executor.ts';

/**
 * Runs statements on one connection. Each is done when its promise is made: awaiting it costs a turn of the microtask
 * queue and nothing else.
 */
export function createSqliteExecutor(db: DatabaseSync, breathe: () => Promise<void>): Executor {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    async all(sql, values) {
      return prepare(sql).all(...values);
    },
    async get(sql, values) {
      return prepare(sql).get(...values);
    },
    async run(sql, values) {
      return Number(prepare(sql).run(...values).changes);
    },
    async once(sql, values) {
      const statement = db.prepare(sql);
      if (statement.columns().length === 0) {
        return { rows: [], changedRows: Number(statement.run(...values).changes) };
      }
      const before = totalChanges();
      const rows = statement.all(...values);
      return { rows, changedRows: totalChanges() - before };
    },
    breathe,
  };

  function totalChanges(): number {
    return Number(prepare('select total_changes() as changes').get()?.changes);
  }
}

/** What an error of the database means for the batch it happened in. */
export type SqliteFailure =
  /** The statement was wrong for its data: only its own operation fails. */
  | { readonly kind: 'statement' }
  /** No room: nothing of the batch was kept, and there may be room later. */
  | { readonly kind: 'storage_full' }
  /** Another process held the database for longer than we wait. */
  | { readonly kind: 'busy' }
  /** The disk or the file failed: the stored data can no longer be trusted. */
  | { readonly kind: 'fatal' };

const primary = { busy: 5, locked: 6, full: 13 };
/** Fatal: no memory, read-only, I/O error, corrupt, cannot open, protocol, not a database. */
const fatalCodes: ReadonlySet<number> = new Set([7, 8, 10, 11, 14, 15, 26]);
/** The log's index could not grow. It is not durable data, but the disk is full all the same. */
const ioErrorShmSize = 4874;

/** @returns null when the error is not the database's. */
export function sqliteFailureOf(error: unknown): SqliteFailure | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  const code = error.errcode & 0xff;
  if (code === primary.full || error.errcode === ioErrorShmSize) return { kind: 'storage_full' };
  if (code === primary.busy || code === primary.locked) return { kind: 'busy' };
  return fatalCodes.has(code) ? { kind: 'fatal' } : { kind: 'statement' };
}
