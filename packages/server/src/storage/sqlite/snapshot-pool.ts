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

/**
 * Connections for reads of several statements, opened when first needed, of which the one opened first is taken first.
 * @param open is told how many were opened before.
 */
export function createSnapshotPool(open: (opened: number) => SnapshotConnection): SnapshotPool {
  const semaphore = createSemaphore(snapshotsMax, { waitingMax, refusal });
  const idle: { readonly place: number; readonly connection: SnapshotConnection }[] = [];
  let opened = 0;
  const takeFirst = () => idle.shift() ?? { place: opened, connection: open(opened++) };
  return {
    read: (read) =>
      semaphore.run(async () => {
        const taken = takeFirst();
        const { connection } = taken;
        try {
          connection.db.exec('begin');
          return await read(connection.reader);
        } finally {
          if (connection.db.isTransaction) connection.db.exec('commit');
          idle.push(taken);
          idle.sort((one, other) => one.place - other.place);
        }
      }),
    async close() {
      await semaphore.close();
      for (const { connection } of idle.splice(0)) connection.db.close();
    },
  };
}
