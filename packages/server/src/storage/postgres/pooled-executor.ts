import { WorkspaceError } from '@stoa/core';
import type { Executor } from '../queries/executor.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { PostgresError } from './postgres-error.ts';
import { createPostgresExecutor } from './postgres-executor.ts';
import { retryUntil } from './retry-until.ts';

/**
 * Reads on any free session. A read changes nothing, so it is retried when its session is lost, for as long as a
 * restart of the database may take.
 */
export async function askPooled<Result>(
  pool: ConnectionPool,
  waitMs: number,
  use: (executor: Executor) => Promise<Result>,
): Promise<Result> {
  const asked = await retryUntil<Result>(performance.now() + waitMs, async () => {
    try {
      const result = await pool.with((connection) => use(createPostgresExecutor(connection)));
      return { kind: 'done', result };
    } catch (reason) {
      if (reason instanceof PostgresError && reason.kind === 'lost') return { kind: 'again', reason };
      throw errorOf(reason);
    }
  });
  if (asked.kind === 'again') throw errorOf(asked.reason);
  return asked.result;
}

/** Runs each statement as a read of its own, see `askPooled`. */
export function createPooledExecutor(pool: ConnectionPool, waitMs: number): Executor {
  const ask = <Result>(use: (executor: Executor) => Promise<Result>) => askPooled(pool, waitMs, use);
  return {
    all: (sql, values) => ask((executor) => executor.all(sql, values)),
    get: (sql, values) => ask((executor) => executor.get(sql, values)),
    run: (sql, values) => ask((executor) => executor.run(sql, values)),
    once: (sql, values) => ask((executor) => executor.once(sql, values)),
    stepRows: 2000,
    breathe: () => Promise.resolve(),
  };
}

/** Maps an error for a reader: `overloaded` where a retry may help, else the error itself. */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof PostgresError)) return error;
  switch (error.kind) {
    case 'statement':
    case 'read_only':
      return error;
    case 'conflict':
    case 'slow':
    case 'storage_full':
    case 'exhausted':
    case 'lost':
      return new WorkspaceError('overloaded', {}, 'The database does not respond. Try again.');
  }
}
