import { WorkspaceError } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { Connection } from './connection.ts';

/** A bounded number of sessions, opened on first use. */
export interface ConnectionPool {
  /**
   * Runs `use` with a session of its own.
   * @throws WorkspaceError `overloaded` when none was available in time, `shutting_down`; errors of `use` pass through.
   */
  with<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Rejects new callers, waits for the current ones, and ends the sessions. */
  close(): Promise<void>;
}

const waitingMax = 10_000;

/**
 * @param open opens a session; it waits for an unreachable database.
 * @param waitMs for a session that others use
 * @param currentParty returns the caller of the active work: callers alternate, however many wait for one
 */
export function createConnectionPool(
  open: () => Promise<Connection>,
  size: number,
  waitMs: number,
  currentParty = () => '',
): ConnectionPool {
  const semaphore = createSemaphore(size, { waitingMax, waitMs, overloadError: tooMuchWaiting });
  const idle: Connection[] = [];

  const obtain = async (): Promise<Connection> => {
    for (let at = idle.pop(); at !== undefined; at = idle.pop()) {
      if (!at.isBroken) return at;
      void at.close();
    }
    return open();
  };

  return {
    with: (use) =>
      semaphore.run(async () => {
        const connection = await obtain();
        try {
          return await use(connection);
        } finally {
          // A transaction that was left open must not be reused.
          if (connection.isBroken || connection.isInTransaction) void connection.close();
          else idle.push(connection);
        }
      }, currentParty()),
    async close() {
      await semaphore.close();
      await Promise.all(idle.splice(0).map((connection) => connection.close()));
    },
  };
}

export function tooMuchWaiting(): WorkspaceError {
  return new WorkspaceError(
    'overloaded',
    {},
    'Too many requests are waiting for the database: try again in a moment.',
  );
}
