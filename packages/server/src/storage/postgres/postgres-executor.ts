import type { Executor } from '../queries/executor.ts';
import type { Connection } from './connection.ts';
import { numberPlaceholders } from './number-placeholders.ts';

/** Runs statements on one session, inside its open transaction. */
export function createPostgresExecutor(connection: Connection): Executor {
  return {
    all: async (sql, values) => (await connection.repeated(sql, values)).rows,
    get: async (sql, values) => (await connection.repeated(sql, values)).rows[0],
    run: async (sql, values) => (await connection.repeated(sql, values)).rowCount ?? 0,
    async once(sql, values) {
      const { rows, rowCount, command } = await connection.once(numberPlaceholders(sql), values);
      return { rows, changedRows: command === 'SELECT' ? 0 : (rowCount ?? 0) };
    },
    // Awaiting a statement already lets other requests run.
    stepRows: 2000,
    breathe: () => Promise.resolve(),
  };
}
