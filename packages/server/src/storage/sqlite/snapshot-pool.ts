import type { DatabaseSync } from 'node:sqlite';
import { WorkspaceError } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { Reader } from '../../service/ports/reader.ts';

export interface SnapshotConnection {
  readonly db: DatabaseSync;
  readonly reader: Reader;
}

export interface SnapshotPool {
  /** @throws WorkspaceError `overloaded` when too many wait, `shutting_down` when the pool closes. */
  read<Result>(read: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** Refuses new snapshots, waits for those that are held, and closes the connections. */
  close(): Promise<void>;
}

/** Each snapshot held keeps the log from starting over, and costs a connection. */
const snapshotsMax = 8;
const waitingMax = 1000;
const refusal = () => new WorkspaceError('overloaded', {}, 'Too many long reads are waiting.');

/** Connections for reads of several statements, opened when first needed. */
export function createSnapshotPool(open: () => SnapshotConnection): SnapshotPool {
  const semaphore = createSemaphore(snapshotsMax, { waitingMax, refusal });
  const idle: SnapshotConnection[] = [];
  return {
    read: (read) =>
      semaphore.run(async () => {
        const connection = idle.pop() ?? open();
        try {
          connection.db.exec('begin');
          return await read(connection.reader);
        } finally {
          if (connection.db.isTransaction) connection.db.exec('commit');
          idle.push(connection);
        }
      }),
    async close() {
      await semaphore.close();
      for (const { db } of idle.splice(0)) db.close();
    },
  };
}
