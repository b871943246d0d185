import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { PlanCatalog } from '../../service/plans.ts';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';
import type { Script } from '../../service/ports/script.ts';
import { queuedScript } from '../batches.ts';
import { createReader } from '../queries/create-reader.ts';
import { compileQueries, type Queries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { migrate } from './migrate.ts';
import { openConnection } from './open-connection.ts';
import { createReadTurn, inTurn } from './read-turn.ts';
import { rememberAccess } from './remembered-access.ts';
import { createSnapshotPool } from './snapshot-pool.ts';
import { createSqliteExecutor } from './sqlite-executor.ts';
import { startWriter } from './writer-queue.ts';

export interface SqliteStoreOptions {
  /** The database file; it is made when absent, its folder is not. */
  readonly file: string;
  readonly plans: PlanCatalog;
  /** The module of the writer's thread, which calls `runWriter` with every script. */
  readonly writerUrl: URL;
  /** How many pages the log grows by before they are copied back; usually 8000. */
  readonly checkpointPages?: number;
  /**
   * Called once when writing has failed for good, for instance because an fsync did. Retrying could acknowledge what
   * is not on disk, so the process must stop.
   */
  readonly onFatal: (error: Error) => void;
  /** So many changes are sent to be committed together. */
  readonly onBatch?: (changes: number) => void;
}

const usualCheckpointPages = 8000;

/**
 * A store in one SQLite file: reads on this thread, writes on a thread of their own. Several processes may have it open.
 * @throws Error with a sentence for the operator when the database is newer than the program or cannot be written durably.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<MetadataStore> {
  const {
    file,
    plans,
    writerUrl,
    checkpointPages = usualCheckpointPages,
    onFatal,
    onBatch = () => {},
  } = options;
  const migrating = openConnection(file, 'write');
  try {
    migrate(migrating);
  } finally {
    migrating.close();
  }
  const queries = compileQueries(sqliteDialect);
  const listeners = new Set<(workspaceIds: readonly string[]) => void>();
  const writer = await startWriter(
    writerUrl,
    { file, plans, checkpointPages },
    {
      answer: () => single.turn.end(),
      change: (workspaceIds) => {
        for (const listener of listeners) listener(workspaceIds);
      },
      batch: onBatch,
      fatal: onFatal,
    },
  );
  const breathe = async () => void (await nextTurn());
  const openReader = () => {
    const db = openConnection(file, 'read');
    return { db, reader: createReader(createSqliteExecutor(db, breathe), queries) };
  };
  const single = openTurnReader(openConnection(file, 'read'), breathe, queries);
  const snapshots = createSnapshotPool(openReader);
  let closed: Promise<void> | null = null;
  const close = async () => {
    await writer.close();
    await snapshots.close();
    single.turn.end();
    single.db.close();
  };

  const store: MetadataStore = {
    reader: single.reader,
    // No read is a wait.
    foresee: () => store,
    snapshot: snapshots.read,
    readAnew: () => single.turn.end(),
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
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
  return store;
}

/** The connection for single reads. */
function openTurnReader(db: DatabaseSync, breathe: () => Promise<void>, queries: Queries) {
  const turn = createReadTurn(db);
  const executor = inTurn(createSqliteExecutor(db, breathe), turn);
  return { db, turn, reader: rememberAccess(createReader(executor, queries), executor, queries, turn) };
}
