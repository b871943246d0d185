import { WorkspaceError } from '@stoa/core';
import type { Connection } from './connection.ts';
import { PostgresError } from './postgres-error.ts';
import { createSlots } from './slots.ts';
import { patienceMs, withinPatience } from './within-patience.ts';

/** A bounded number of sessions, opened when first needed. */
export interface ConnectionPool {
  /**
   * Runs `use` with a session of its own.
   * @throws WorkspaceError `overloaded` when none could be had in time, `shutting_down`; errors of `use` pass through.
   */
  with<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Refuses who comes, waits for who is there, and ends the sessions. */
  close(): Promise<void>;
}

const waitersMax = 10_000;

/** @param open a new session; what it fails with for lack of a server is tried again for a while. */
export function createConnectionPool(open: () => Promise<Connection>, size: number): ConnectionPool {
  const slots = createSlots(size, { waitersMax, waitMs: patienceMs });
  const idle: Connection[] = [];

  const obtain = async (): Promise<Connection> => {
    for (let at = idle.pop(); at !== undefined; at = idle.pop()) {
      if (!at.isBroken) return at;
      void at.close();
    }
    const opened = await withinPatience<Connection>(async () => {
      try {
        return { kind: 'done', result: await open() };
      } catch (reason) {
        if (!(reason instanceof PostgresError)) throw reason;
        return { kind: 'again', reason };
      }
    });
    if (opened.kind === 'again')
      throw new WorkspaceError('overloaded', {}, 'The database does not answer. Try again.');
    return opened.result;
  };

  return {
    async with(use) {
      await slots.take();
      try {
        const connection = await obtain();
        try {
          return await use(connection);
        } finally {
          // A transaction that was left open belongs to nobody.
          if (connection.isBroken || connection.isInTransaction) void connection.close();
          else idle.push(connection);
        }
      } finally {
        slots.give();
      }
    },
    async close() {
      await slots.close();
      await Promise.all(idle.splice(0).map((connection) => connection.close()));
    },
  };
}
