import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Executor, SqlRow, SqlValue } from '../queries/executor.ts';

/** A statement with the names of its columns; without any, it only changes something. */
interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/**
 * Runs statements on one connection. Each is done when its promise is made: awaiting it costs a turn of the microtask
 * queue and nothing else.
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
      // What triggers changed counts in the total, but not in the last statement's own number.
      return { rows, changedRows: totalChanges() === before ? 0 : ownChanges() };
    },
    breathe,
  };

  function totalChanges(): number {
    return Number(rowOf(prepared('select total_changes() as changes'), [])?.changes);
  }

  function ownChanges(): number {
    return Number(rowOf(prepared('select changes() as changes'), [])?.changes);
  }
}

/** The types of the binding know rows as objects alone. */
type Cells = readonly unknown[];

/**
 * Rows come as arrays, of which `named` makes objects. Those that SQLite's binding makes are dictionaries: to copy one
 * takes longer than to read it.
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
