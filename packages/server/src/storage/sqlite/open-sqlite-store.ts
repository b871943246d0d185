import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { PlanCatalog } from '../../service/plans.ts';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';
import type { Reader } from '../../service/ports/reader.ts';
import type { Script } from '../../service/ports/script.ts';
import { queuedScript } from '../batches.ts';
import { createReader } from '../queries/create-reader.ts';
import { compileQueries, type Queries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { failureAt, openWithReserve } from './full-disk.ts';
import { migrate } from './migrate.ts';
import { openConnection } from './open-connection.ts';
import { createReadSlot, inOrder } from './read-slot.ts';
import { rememberAccess } from './remembered-access.ts';
import { createSnapshotPool, type SnapshotPool } from './snapshot-pool.ts';
import { createSqliteExecutor } from './sqlite-executor.ts';
import { startWriter, type Writer, type WriterListeners } from './start-writer.ts';

export interface SqliteStoreOptions {
  /** The database file; it is created when absent, its folder is not. */
  readonly file: string;
  readonly plans: PlanCatalog;
  /** The module of the writer thread, which calls `runWriter` with every script. */
  readonly writerUrl: URL;
  /** Growth of the log in pages before a checkpoint; default 8000. */
  readonly checkpointPages?: number;
  /**
   * Called once when writing has failed permanently, for example after a failed fsync. A retry could acknowledge data
   * that is not on disk, so the process must stop.
   */
  readonly onFatal: (error: Error) => void;
  /** Called with the number of changes in each batch. */
  readonly onBatch?: (changes: number) => void;
  /**
   * Returns the caller of the active work: long reads alternate between callers. Without it they run in order of
   * arrival.
   */
  readonly currentParty?: () => string;
}

const usualCheckpointPages = 8000;

/**
 * A store in one SQLite file: reads on this thread, writes on a writer thread. Several processes may have it open.
 * @throws Error with a message for the operator when the database is newer than the program or cannot be written
 * durably.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<MetadataStore> {
  const { file, plans, writerUrl, checkpointPages = usualCheckpointPages } = options;
  const reading = openMigrated(file, options);
  try {
    const writer = await startWriter(writerUrl, { file, plans, checkpointPages }, reading.listeners);
    return createStore(reading, writer);
  } catch (error) {
    await reading.close();
    throw error;
  }
}

function openMigrated(file: string, options: SqliteStoreOptions): Reading {
  try {
    const migrating = openWithReserve(file, () => openConnection(file, 'write'));
    try {
      migrate(migrating);
      // The last connection to close would remove the log and its index, and a full disk may have no room for new ones.
      return openReading(file, options);
    } finally {
      migrating.close();
    }
  } catch (error) {
    throw withMessage(file, error);
  }
}

/** SQLite's own message names no file. */
function withMessage(file: string, cause: unknown): unknown {
  const failure = failureAt(file, cause);
  if (failure?.kind === 'storage_full') {
    return new Error(
      `There is no room for the database ${file}: its disk is full, or a quota on it is reached. Make some, 8 MiB at least, and start again.`,
      { cause },
    );
  }
  if (failure?.kind !== 'fatal' || !(cause instanceof Error)) return cause;
  return new Error(`The database ${file} cannot be used: SQLite says "${cause.message}".`, { cause });
}

/** The connections for reads, and the listeners for the writer. */
interface Reading {
  readonly reader: Reader;
  readonly snapshots: SnapshotPool;
  readonly listeners: WriterListeners;
  readonly changeListeners: Set<(workspaceIds: readonly string[]) => void>;
  refreshReads(): void;
  close(): Promise<void>;
}

function openReading(
  file: string,
  { onFatal, onBatch = () => {}, currentParty = () => '' }: SqliteStoreOptions,
): Reading {
  const queries = compileQueries(sqliteDialect);
  const breathe = async () => void (await nextTick());
  const single = openSlotReader(openConnection(file, 'read'), breathe, queries);
  const snapshots = createSnapshotPool((opened) => {
    // When few long reads run at a time, one large cache serves them all.
    const db = openConnection(file, opened === 0 ? 'long-read' : 'read');
    return { db, reader: createReader(createSqliteExecutor(db, breathe), queries) };
  }, currentParty);
  const changeListeners = new Set<(workspaceIds: readonly string[]) => void>();
  const refresh = () => single.turn.end();
  return {
    reader: single.reader,
    snapshots,
    changeListeners,
    listeners: {
      beforeNews: refresh,
      change: (workspaceIds) => {
        for (const listener of changeListeners) listener(workspaceIds);
      },
      batch: onBatch,
      fatal: onFatal,
    },
    refreshReads: refresh,
    async close() {
      await snapshots.close();
      single.turn.end();
      single.db.close();
    },
  };
}

function createStore(reading: Reading, writer: Writer): MetadataStore {
  let closed: Promise<void> | null = null;
  const close = async () => {
    await writer.close();
    await reading.close();
  };
  const store: MetadataStore = {
    reader: reading.reader,
    // No read is a round trip.
    foresee: () => store,
    async snapshot(read) {
      try {
        return await reading.snapshots.read(read);
      } finally {
        // Earlier reads of this tick opened an older snapshot.
        reading.refreshReads();
      }
    },
    refreshReads: reading.refreshReads,
    transact<Command, Outcome>(
      script: Script<Command, Outcome>,
      command: Command,
      onSent?: (scripts: number) => void,
    ): Promise<Outcome> {
      if (closed !== null) return Promise.reject(new WorkspaceError('shutting_down'));
      // The writer ran the script of this name, so the outcome is that script's.
      return writer.submit(queuedScript(script, command), onSent) as Promise<Outcome>;
    },
    onChange(listener) {
      reading.changeListeners.add(listener);
      return () => void reading.changeListeners.delete(listener);
    },
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
  return store;
}

/** The connection for single reads. */
function openSlotReader(db: DatabaseSync, breathe: () => Promise<void>, queries: Queries) {
  const slot = createReadSlot(db);
  const executor = inOrder(createSqliteExecutor(db, breathe), slot);
  return { db, turn: slot, reader: rememberAccess(createReader(executor, queries), executor, queries, slot) };
}
