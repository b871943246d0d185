import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { PlanCatalog } from '../../service/plans.ts';
import type { Script } from '../../service/ports/script.ts';
import type { BatchResult, QueuedScript } from '../batches/queued-script.ts';
import { compileQueries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { openConnection } from './open-connection.ts';
import { createBatchRunner } from './run-batch.ts';
import { sqliteFailureOf } from './sqlite-executor.ts';

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
