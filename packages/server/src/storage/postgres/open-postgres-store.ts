import { WorkspaceError } from '@stoa/core';
import type { PlanCatalog } from '../../service/plans.ts';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';
import type { Script } from '../../service/ports/script.ts';
import { queuedScript } from '../batches.ts';
import { createReader } from '../queries/create-reader.ts';
import { compileQueries } from '../queries/queries.ts';
import { isStorable } from '../queries/query.ts';
import { postgresDialect } from '../queries/query-dialect.ts';
import { createChangeNotifications } from './change-notifications.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createConnectionPool } from './connection-pool.ts';
import { openSession, type SessionUse } from './open-session.ts';
import { poolSizeDefault, poolSizeMin } from './pool-size.ts';
import { askPooled, createPooledExecutor } from './pooled-executor.ts';
import { PostgresError } from './postgres-error.ts';
import { createPrefetchers } from './prefetch.ts';
import { prepareDatabase } from './prepare-database.ts';
import { UnusableDatabase } from './reject-unusable.ts';
import { usualWaitMs } from './retry-until.ts';
import { createBatchRunner } from './run-batch.ts';
import { createSnapshots } from './snapshots.ts';
import { createAttemptSweeper } from './sweep-attempts.ts';
import { createWorkspaceQueues, type QueueName, sharedQueue } from './workspace-queues.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with the driver's own parameters (`sslmode`, …). */
  readonly url: string;
  readonly plans: PlanCatalog;
  /** Every script that `transact` accepts. */
  readonly scripts: readonly Script<never, unknown>[];
  /** Timeout for an unreachable or blocked database. Default 10 seconds. */
  readonly waitMs?: number;
  /** Sessions of this process, at least `poolSizeMin`; one more listens for notifications. */
  readonly poolSize?: number;
  /**
   * Called when the database may lose acknowledged changes, for example after a restart without `fsync`: the process
   * must stop.
   */
  readonly onFatal: (error: Error) => void;
  /** Reports a problem outside a request. */
  readonly reportProblem: (message: string, cause: unknown) => void;
  /** Called with the number of changes in each batch. */
  readonly onBatch?: (changes: number) => void;
  /**
   * Returns the caller of the active work: long reads alternate between callers. Without it they run in order of
   * arrival.
   */
  readonly currentParty?: () => string;
}

/**
 * A store in a PostgreSQL database, shared by any number of processes.
 * @throws Error with a message for the operator, without the password, when the database is unreachable, too old, not
 * durable or was written by a newer program.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<MetadataStore> {
  const {
    url,
    plans,
    scripts,
    poolSize = poolSizeDefault,
    waitMs = usualWaitMs,
    onFatal,
    reportProblem,
    onBatch = () => {},
    currentParty = () => '',
  } = options;
  if (poolSize < poolSizeMin)
    throw new Error(`The database needs at least ${poolSizeMin} connections, not ${poolSize}.`);
  await prepareDatabase(url, waitMs);

  const openFor = async (use: SessionUse) => {
    try {
      return await openSession(url, use);
    } catch (error) {
      if (!(error instanceof UnusableDatabase)) throw error;
      if (error.losesCommits) onFatal(error);
      throw new PostgresError(error);
    }
  };
  const writers = Math.floor(poolSize / 2);
  const readers = poolSize - writers;
  const read = createCircuitBreaker(() => openFor('read'), waitMs);
  const write = createCircuitBreaker(() => openFor('write'), waitMs);
  const readPool = createConnectionPool(read.open, readers, waitMs, currentParty);
  const writePool = createConnectionPool(write.open, writers, waitMs);
  const queries = compileQueries(postgresDialect);
  const snapshots = createSnapshots(readPool, queries, Math.ceil(readers / 2), waitMs, currentParty);
  const notifications = createChangeNotifications(() => openFor('write'), reportProblem);
  const sweeper = createAttemptSweeper(writePool, reportProblem);
  const runBatch = createBatchRunner(writePool, queries, scripts, { plans }, waitMs);
  const queues = createWorkspaceQueues(
    async (queueName, batch) => {
      const result = await runBatch(queueName, batch);
      onBatch(batch.scripts.length);
      if (result.kind === 'committed') {
        notifications.tell(result.changedWorkspaces);
        sweeper.committed();
      }
      return result;
    },
    { atOnceMax: writers, waitMs },
  );
  let closed: Promise<void> | null = null;
  const close = async () => {
    await queues.drain();
    await sweeper.settle();
    await notifications[Symbol.asyncDispose]();
    read.close();
    write.close();
    await snapshots.close();
    await Promise.all([readPool.close(), writePool.close()]);
  };

  const reader = createReader(createPooledExecutor(readPool, waitMs), queries);
  const foresee = createPrefetchers(reader, (ask) =>
    askPooled(readPool, waitMs, (executor) => ask(createReader(executor, queries))),
  );
  const store: MetadataStore = {
    reader,
    foresee(reads) {
      const known = reads();
      return known === null ? store : { ...store, reader: foresee(known) };
    },
    snapshot: snapshots.read,
    // Each read is a snapshot of its own.
    refreshReads() {},
    transact<Command, Outcome>(
      script: Script<Command, Outcome>,
      command: Command,
      onSent?: (scripts: number) => void,
    ): Promise<Outcome> {
      if (closed !== null) return Promise.reject(new WorkspaceError('shutting_down'));
      const queueName = queueOf(command);
      // The script of this name was run, so the outcome is that script's.
      return queues.submit(queueName, queuedScript(script, command), onSent) as Promise<Outcome>;
    },
    onChange: notifications.subscribe,
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
  return store;
}

/** Commands about one workspace name it, and go to its queue. */
function queueOf(command: unknown): QueueName {
  if (typeof command !== 'object' || command === null || !('workspaceId' in command)) return sharedQueue;
  const { workspaceId } = command;
  return typeof workspaceId === 'string' && isStorable(workspaceId) ? workspaceId : sharedQueue;
}
