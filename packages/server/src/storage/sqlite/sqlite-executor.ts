import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Executor, SqlRow, SqlValue } from '../queries/executor.ts';

/** A statement with its column names; a statement without columns only changes something. */
interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/**
 * Runs statements on one connection. Each is complete when its promise is created: awaiting it only costs microtasks.
 */
export function createSqliteExecutor(db: DatabaseSync, breathe: () => Promise<void>): Executor {
  const kept = new Map<string, Prepared>();
  const prepared = (sql: string): Prepared => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const made = prepare(db, sql);
    kept.set(sql, made);
    return made;
  };
  return {
    async all(sql, values) {
      return rowsOf(prepared(sql), values);
    },
    async get(sql, values) {
      return rowOf(prepared(sql), values);
    },
    async run(sql, values) {
      return Number(prepared(sql).statement.run(...values).changes);
    },
    async once(sql, values) {
      const made = prepare(db, sql);
      if (made.columns.length === 0) {
        return { rows: [], changedRows: Number(made.statement.run(...values).changes) };
      }
      const before = totalChanges();
      const rows = rowsOf(made, values);
      // Changes by triggers count in the total, but not in the statement's own number.
      return { rows, changedRows: totalChanges() === before ? 0 : ownChanges() };
    },
    stepRows: 100,
    breathe,
  };

  function totalChanges(): number {
    return Number(rowOf(prepared('select total_changes() as changes'), [])?.changes);
  }

  function ownChanges(): number {
    return Number(rowOf(prepared('select changes() as changes'), [])?.changes);
  }
}

/** The binding's types only know rows as objects. */
type Cells = readonly unknown[];

/**
 * Rows come as arrays, which `named` turns into objects. The objects of SQLite's binding are dictionaries: copying one
 * takes longer than reading it.
 */
function prepare(db: DatabaseSync, sql: string): Prepared {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return { statement, columns: statement.columns().map(({ name }) => name) };
}

function rowsOf({ statement, columns }: Prepared, values: readonly SqlValue[]): readonly SqlRow[] {
  const all: unknown = statement.all(...values);
  return (all as readonly Cells[]).map((cells) => named(columns, cells));
}

function rowOf({ statement, columns }: Prepared, values: readonly SqlValue[]): SqlRow | undefined {
  const cells: unknown = statement.get(...values);
  return cells === undefined ? undefined : named(columns, cells as Cells);
}

function named(columns: readonly string[], cells: Cells): SqlRow {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = cells[at];
  return row;
}

/** Effect of a database error on its batch. */
export type SqliteFailure =
  /** The statement was wrong for its data: only its own operation fails. */
  | { readonly kind: 'statement' }
  /** The disk is full: nothing of the batch was stored, and there may be room later. */
  | { readonly kind: 'storage_full' }
  /** Another process locked the database beyond the timeout. */
  | { readonly kind: 'busy' }
  /** The disk or the file failed: the stored data can no longer be trusted. */
  | { readonly kind: 'fatal' };

const primary = { busy: 5, locked: 6, full: 13 };
/** Fatal: no memory, read-only, I/O error, corrupt, cannot open, protocol, not a database. */
const fatalCodes: ReadonlySet<number> = new Set([7, 8, 10, 11, 14, 15, 26]);
/** The log's index could not grow. It is not durable data, but the disk is full all the same. */
const ioErrorShmSize = 4874;

/** @returns null when the error does not come from the database. */
export function sqliteFailureOf(error: unknown): SqliteFailure | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  const code = error.errcode & 0xff;
  if (code === primary.full || error.errcode === ioErrorShmSize) return { kind: 'storage_full' };
  if (code === primary.busy || code === primary.locked) return { kind: 'busy' };
  return fatalCodes.has(code) ? { kind: 'fatal' } : { kind: 'statement' };
}
