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
