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
  /** Rejects new snapshots, waits for the open ones, and closes the connections. */
  close(): Promise<void>;
}

/** Each open snapshot keeps the log from restarting, and needs a connection. */
const snapshotsMax = 8;
/** The rest is left for others, however many one caller waits for. */
const snapshotsOfOneMax = 6;
const waitingMax = 1000;
const waitingOfOneMax = 256;
const waitMs = 30_000;
const error = () => new WorkspaceError('overloaded', {}, 'Too many long reads are waiting.');

/**
 * Connections for reads of several statements, opened on first use; those that were opened earlier are used first.
 * @param open receives the number of connections that were opened before.
 * @param currentParty returns the caller of the active work: long reads alternate between callers
 */
export function createSnapshotPool(
  open: (opened: number) => SnapshotConnection,
  currentParty: () => string,
): SnapshotPool {
  const semaphore = createSemaphore(snapshotsMax, {
    waitingMax,
    waitingOfOneMax,
    atOnceOfOne: snapshotsOfOneMax,
    waitMs,
    overloadError: error,
  });
  const idle: { readonly slot: number; readonly connection: SnapshotConnection }[] = [];
  let opened = 0;
  const takeFirst = () => idle.shift() ?? { slot: opened, connection: open(opened++) };
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
          idle.sort((one, other) => one.slot - other.slot);
        }
      }, currentParty()),
    async close() {
      await semaphore.close();
      for (const { connection } of idle.splice(0)) connection.db.close();
    },
  };
}
