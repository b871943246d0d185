import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { Reader } from '../../service/ports/reader.ts';
import { createReader } from '../queries/create-reader.ts';
import type { Queries } from '../queries/queries.ts';
import type { Connection } from './connection.ts';
import { type ConnectionPool, tooMuchWaiting } from './connection-pool.ts';
import { errorOf } from './pooled-executor.ts';
import { PostgresError } from './postgres-error.ts';
import { createPostgresExecutor } from './postgres-executor.ts';
import { retryUntil } from './retry-until.ts';

export interface Snapshots {
  /** @throws WorkspaceError `overloaded` when too many wait or the session was lost, `shutting_down` after `close`. */
  read<Result>(read: (reader: Reader) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const waitingMax = 1000;
const waitingOfOneMax = 256;
/** The rest is left for others, however many one caller waits for. */
const ofOneMax = 3 / 4;

/**
 * Runs several statements on one snapshot, at most `atOnceMax` at a time so that single reads always find a session. A
 * session that is lost before the snapshot began is replaced. After that the caller has to retry, because part of the
 * result may already be sent.
 * @param currentParty returns the caller of the active work: callers alternate, and one never has all sessions
 */
export function createSnapshots(
  pool: ConnectionPool,
  queries: Queries,
  atOnceMax: number,
  waitMs: number,
  currentParty: () => string,
): Snapshots {
  const semaphore = createSemaphore(atOnceMax, {
    waitingMax,
    waitingOfOneMax,
    atOnceOfOne: Math.ceil(atOnceMax * ofOneMax),
    waitMs,
    overloadError: tooMuchWaiting,
  });

  /** @returns null when the session was lost before anything was read. */
  const readOnce = async <Result>(
    connection: Connection,
    read: (reader: Reader) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> => {
    try {
      await connection.commands('begin isolation level repeatable read read only');
    } catch (error) {
      if (error instanceof PostgresError && error.kind === 'lost') return null;
      throw error;
    }
    try {
      return { result: await read(createReader(createPostgresExecutor(connection), queries)) };
    } finally {
      // The values that were read are valid even if the session breaks; a session that cannot end its transaction is
      // not reused.
      if (!connection.isBroken) await connection.commands('rollback').catch(() => undefined);
    }
  };

  return {
    async read(read) {
      const giveUpAt = performance.now() + waitMs;
      try {
        return await semaphore.run(async () => {
          const responded = await retryUntil(giveUpAt, async () => {
            const once = await pool.with((connection) => readOnce(connection, read));
            return once === null ? { kind: 'again', reason: 'lost' } : { kind: 'done', result: once };
          });
          if (responded.kind === 'again')
            throw new PostgresError(new Error('the database connection was lost repeatedly'));
          return responded.result.result;
        }, currentParty());
      } catch (error) {
        throw errorOf(error);
      }
    },
    close: () => semaphore.close(),
  };
}
