// docs/decisions/0003-group-commit.md
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { PlanCatalog } from '../../service/plans.ts';
import type { Script, ScriptContext } from '../../service/ports/script.ts';
import type { Transaction } from '../../service/ports/transaction.ts';
import { type BatchResult, type QueuedScript, refusedResult, type ScriptResult } from '../batches.ts';
import { createTransaction } from '../queries/create-transaction.ts';
import { compileQueries, type Queries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { openConnection } from './open-connection.ts';
import { createSqliteExecutor, sqliteFailureOf } from './sqlite-executor.ts';

/** The writer thread's data at its start. */
export interface WriterStart {
  readonly file: string;
  readonly plans: PlanCatalog;
}

export type ToWriter =
  | { readonly kind: 'batch'; readonly scripts: readonly QueuedScript[] }
  | { readonly kind: 'close' };

/** Batches are answered in the order they were sent. */
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly result: BatchResult };

/**
 * The body of the writer's thread: the one connection of this process that writes, so that no fsync ever blocks the
 * event loop. Batches are run in order; an uncaught error ends the thread, and the store takes that as fatal.
 */
export function runWriter(scripts: readonly Script<never, unknown>[]): void {
  const port = parentPort;
  if (port === null) throw new Error('the writer runs in a worker thread');
  const { file, plans } = workerData as WriterStart;
  const db = openConnection(file, 'write');
  const runBatch = createBatchRunner(db, compileQueries(sqliteDialect), scripts, { plans });
  const checkpoint = createCheckpointer(db);
  const answer = (message: FromWriter) => port.postMessage(message);

  const handle = async (message: ToWriter): Promise<void> => {
    switch (message.kind) {
      case 'batch': {
        const result = await runBatch(message.scripts);
        answer({ kind: 'batch', result });
        if (result.kind === 'fatal') port.close();
        if (result.kind === 'committed') checkpointUnlessFull();
        return;
      }
      case 'close':
        db.close();
        port.close();
        return;
    }
  };
  const checkpointUnlessFull = () => {
    try {
      checkpoint();
    } catch (error) {
      // The log keeps what could not be copied back; any other failure ends the thread.
      const failure = sqliteFailureOf(error);
      if (failure?.kind !== 'storage_full' && failure?.kind !== 'busy') throw error;
    }
  };

  let last = Promise.resolve();
  port.on('message', (message: ToWriter) => {
    last = last.then(() => handle(message));
  });
  answer({ kind: 'ready' });
}

/** Pages in the log beyond those already copied back that make a checkpoint worth its two fsyncs. */
const checkpointPages = 8000;

/**
 * Copies the log back into the database when it has grown enough, never waiting for readers.
 * @returns a function to call after each commit. It throws what the database throws.
 */
function createCheckpointer(db: DatabaseSync): () => void {
  const look = db.prepare('pragma wal_checkpoint(noop)');
  const copy = db.prepare('pragma wal_checkpoint(passive)');
  return () => {
    const { log, checkpointed } = pages(look.get());
    if (log - checkpointed >= checkpointPages) copy.get();
  };
}

function pages(row: Record<string, unknown> | undefined): {
  readonly log: number;
  readonly checkpointed: number;
} {
  return { log: Number(row?.log), checkpointed: Number(row?.checkpointed) };
}

type BatchRunner = (scripts: readonly QueuedScript[]) => Promise<BatchResult>;

/**
 * Group commit: runs each script of a batch in a savepoint of its own and makes all of them durable with one
 * commit, so that a refused one leaves no trace and does not disturb its neighbours.
 */
function createBatchRunner(
  db: DatabaseSync,
  queries: Queries,
  scripts: readonly Script<never, unknown>[],
  context: ScriptContext,
): BatchRunner {
  const byName = new Map(scripts.map((script) => [script.name, script]));
  if (byName.size !== scripts.length) throw new Error('two scripts have the same name');
  let seqTakenIn = new Set<string>();
  // Every statement is done at once, so a script that awaits its transaction never leaves the microtask queue.
  const executor = createSqliteExecutor(db, () => Promise.resolve());
  const tx = createTransaction(executor, queries, (workspaceId) => seqTakenIn.add(workspaceId));
  const statements = {
    begin: db.prepare('begin immediate'),
    savepoint: db.prepare('savepoint script'),
    rollbackTo: db.prepare('rollback to script'),
    release: db.prepare('release script'),
    commit: db.prepare('commit'),
  };

  const runScript = async ({ script: name, command }: QueuedScript): Promise<ScriptResult> => {
    statements.savepoint.run();
    seqTakenIn = new Set();
    try {
      const script = byName.get(name);
      if (script === undefined) throw new Error(`no script is named ${name}`);
      const outcome = await runToItsEnd(script, tx, command, context);
      statements.release.run();
      return { kind: 'done', outcome };
    } catch (error) {
      const failure = sqliteFailureOf(error);
      if (failure !== null && failure.kind !== 'statement') throw error;
      statements.rollbackTo.run();
      statements.release.run();
      seqTakenIn = new Set();
      return refusedResult(error);
    }
  };

  return async (scripts) => {
    const changed = new Set<string>();
    try {
      statements.begin.run();
      const results: ScriptResult[] = [];
      for (const queued of scripts) {
        results.push(await runScript(queued));
        for (const workspaceId of seqTakenIn) changed.add(workspaceId);
      }
      statements.commit.run();
      return { kind: 'committed', results, changedWorkspaces: [...changed] };
    } catch (error) {
      const failure = sqliteFailureOf(error);
      // A failed statement can have ended the transaction already.
      if (db.isTransaction) db.exec('rollback');
      if (failure?.kind === 'storage_full' || failure?.kind === 'busy') {
        return { kind: 'rolled_back', reason: failure.kind };
      }
      return { kind: 'fatal', message: error instanceof Error ? error.message : String(error) };
    }
  };
}

/**
 * A script may await nothing but its transaction. One that waits for anything else would hold the writer, and the
 * transaction of its neighbours, for as long: that is a bug, and it stops the thread.
 */
async function runToItsEnd(
  script: Script<never, unknown>,
  tx: Transaction,
  command: unknown,
  context: ScriptContext,
): Promise<unknown> {
  const guard = setImmediate(() => {
    throw new Error(`script ${script.name} awaited something other than its transaction`);
  });
  try {
    // The use case that sent the command under this name was typed by the script itself.
    return await script.run(tx, command as never, context);
  } finally {
    clearImmediate(guard);
  }
}
