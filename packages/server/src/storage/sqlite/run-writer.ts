// docs/decisions/0003-group-commit.md
// docs/decisions/0002-transaction-scripts.md
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { PlanCatalog } from '../../service/plans.ts';
import type { Script, ScriptContext } from '../../service/ports/script.ts';
import { type BatchResult, type QueuedScript, rejectedResult, type ScriptResult } from '../batches.ts';
import { createTransaction } from '../queries/create-transaction.ts';
import { compileQueries, type Queries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { shareReads } from '../shared-reads.ts';
import { createLogCheckpoints, startLogCopier } from './checkpoint-log.ts';
import { failureAt, withReserve } from './full-disk.ts';
import { openConnection } from './open-connection.ts';
import { serveBatches } from './serve-batches.ts';
import { createSqliteExecutor, type SqliteFailure, sqliteFailureOf } from './sqlite-executor.ts';

export interface WriterStart {
  readonly file: string;
  readonly plans: PlanCatalog;
  /** Pages in the log that are not copied yet, from which on a checkpoint is worth its two fsyncs. */
  readonly checkpointPages: number;
}

/**
 * The body of the writer thread: it has the only connection of this process that writes, so that no fsync blocks an
 * event loop. An uncaught error ends the thread, which the store treats as fatal.
 */
export function runWriter(scripts: readonly Script<never, unknown>[]): void {
  const port = parentPort;
  if (port === null) throw new Error('the writer runs in a worker thread');
  const { file, plans, checkpointPages } = workerData as WriterStart;
  const db = openConnection(file, 'write');
  const runBatch = withReserve(
    file,
    createBatchRunner(db, compileQueries(sqliteDialect), scripts, { plans }, (error) =>
      failureAt(file, error),
    ),
  );
  const unlessFull = (checkpoint: () => void) => doUnlessFull(file, checkpoint);
  const startCopier = (onEnd: () => void) =>
    startLogCopier(
      file,
      () => unlessFull(onEnd),
      (error) => {
        throw error;
      },
    );
  const checkpoints = createLogCheckpoints(db, checkpointPages, startCopier);
  serveBatches(port, {
    run: runBatch,
    committed: () => unlessFull(checkpoints.afterCommit),
    async close() {
      await checkpoints.close();
      db.close();
    },
  });
}

/** The log keeps the pages that could not be copied; any other failure ends the thread. */
function doUnlessFull(file: string, checkpoint: () => void): void {
  try {
    checkpoint();
  } catch (error) {
    const failure = failureAt(file, error);
    if (failure?.kind !== 'storage_full' && failure?.kind !== 'busy') throw error;
  }
}

type BatchRunner = (scripts: readonly QueuedScript[]) => Promise<BatchResult>;

/**
 * Group commit: runs the scripts of a batch one after the other and makes all of them durable with one commit. A
 * rejected script leaves no trace and does not affect the others: each runs in its own savepoint.
 */
function createBatchRunner(
  db: DatabaseSync,
  queries: Queries,
  scripts: readonly Script<never, unknown>[],
  context: ScriptContext,
  failureOf: (error: unknown) => SqliteFailure | null,
): BatchRunner {
  const byName = new Map(scripts.map((script) => [script.name, script]));
  if (byName.size !== scripts.length) throw new Error('two scripts have the same name');
  let seqTakenIn = new Set<string>();
  // Statements complete synchronously, so a script that awaits its transaction never leaves the microtask queue.
  const executor = createSqliteExecutor(db, () => Promise.resolve());
  const { tx, forget } = shareReads(
    createTransaction(executor, queries, (workspaceId) => seqTakenIn.add(workspaceId)),
  );
  const statements = {
    begin: db.prepare('begin immediate'),
    savepoint: db.prepare('savepoint script'),
    rollbackTo: db.prepare('rollback to script'),
    release: db.prepare('release script'),
    commit: db.prepare('commit'),
  };

  /** @throws failures of the database, not of the script. */
  const runScript = async ({ script: name, command, origin }: QueuedScript): Promise<ScriptResult> => {
    seqTakenIn = new Set();
    try {
      const script = byName.get(name);
      if (script === undefined) throw new Error(`no script is named ${name}`);
      // The use case that sent the command under this name was typed by the script itself.
      const outcome = await script.run(tx, command as never, { ...context, origin: origin ?? null });
      return { kind: 'done', outcome };
    } catch (error) {
      const failure = sqliteFailureOf(error);
      if (failure !== null && failure.kind !== 'statement') throw error;
      seqTakenIn = new Set();
      return rejectedResult(error);
    }
  };
  const runInSavepoint = async (queued: QueuedScript): Promise<ScriptResult> => {
    statements.savepoint.run();
    const result = await runScript(queued);
    if (result.kind !== 'done') {
      statements.rollbackTo.run();
      forget();
    }
    statements.release.run();
    return result;
  };

  const runAll = async (batch: readonly QueuedScript[]): Promise<BatchResult> => {
    const changed = new Set<string>();
    const results: ScriptResult[] = [];
    let running = '';
    statements.begin.run();
    forget();
    // A script that waits for anything but its transaction would block the writer, and the other scripts' transaction,
    // for as long. That is a bug, and it stops the thread.
    const guard = setImmediate(() => {
      throw new Error(`script ${running} awaited something other than its transaction`);
    });
    try {
      for (const queued of batch) {
        running = queued.script;
        results.push(await runInSavepoint(queued));
        for (const workspaceId of seqTakenIn) changed.add(workspaceId);
      }
    } finally {
      clearImmediate(guard);
    }
    statements.commit.run();
    return { kind: 'committed', results, changedWorkspaces: [...changed] };
  };

  return async (batch) => {
    try {
      return await runAll(batch);
    } catch (error) {
      const failure = failureOf(error);
      // A failed statement can have ended the transaction already.
      if (db.isTransaction) db.exec('rollback');
      if (failure?.kind === 'storage_full' || failure?.kind === 'busy') {
        return { kind: 'rolled_back', reason: failure.kind };
      }
      return { kind: 'fatal', message: error instanceof Error ? error.message : String(error) };
    }
  };
}
