import type { DatabaseSync } from 'node:sqlite';
import { WorkspaceError } from '@stoa/core';
import type { Reader } from '../../service/ports/reader.ts';

export interface SnapshotConnection {
  readonly db: DatabaseSync;
  readonly reader: Reader;
}

export interface SnapshotPool {
  /** @throws WorkspaceError `overloaded` when too many wait, `shutting_down` when the pool closes. */
  read<Result>(read: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** Refuses new snapshots and closes each connection when its reader is done. */
  close(): Promise<void>;
}

/** Each snapshot held keeps the log from starting over, and costs a connection. */
const snapshotsMax = 8;
const waitersMax = 1000;

/** Connections for reads of several statements, opened when first needed. */
export function createSnapshotPool(open: () => SnapshotConnection): SnapshotPool {
  const idle: SnapshotConnection[] = [];
  const waiters: { resolve(connection: SnapshotConnection): void; reject(error: Error): void }[] = [];
  let opened = 0;
  let closing = false;
  let onClosed: (() => void) | null = null;

  const acquire = (): Promise<SnapshotConnection> => {
    if (closing) return Promise.reject(new WorkspaceError('shutting_down'));
    const connection = idle.pop();
    if (connection !== undefined) return Promise.resolve(connection);
    if (opened < snapshotsMax) {
      opened += 1;
      try {
        return Promise.resolve(open());
      } catch (error) {
        opened -= 1;
        return Promise.reject(error);
      }
    }
    if (waiters.length >= waitersMax) {
      return Promise.reject(
        new WorkspaceError('overloaded', {}, 'Too many long reads are waiting: try again in a moment.'),
      );
    }
    return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
  };
  const release = (connection: SnapshotConnection) => {
    if (closing) {
      connection.db.close();
      opened -= 1;
      if (opened === 0) onClosed?.();
      return;
    }
    const next = waiters.shift();
    if (next === undefined) idle.push(connection);
    else next.resolve(connection);
  };

  return {
    async read(read) {
      const connection = await acquire();
      try {
        connection.db.exec('begin');
        return await read(connection.reader);
      } finally {
        if (connection.db.isTransaction) connection.db.exec('commit');
        release(connection);
      }
    },
    close() {
      closing = true;
      for (const { reject } of waiters.splice(0)) reject(new WorkspaceError('shutting_down'));
      for (const connection of idle.splice(0)) {
        connection.db.close();
        opened -= 1;
      }
      return new Promise((resolve) => {
        onClosed = resolve;
        if (opened === 0) resolve();
      });
    },
  };
}
