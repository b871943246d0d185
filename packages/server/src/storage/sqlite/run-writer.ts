import { parentPort, workerData } from 'node:worker_threads';
import type { Script } from '../../service/ports/script.ts';
import { compileQueries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { createCheckpointer } from './checkpoint.ts';
import { openConnection } from './open-connection.ts';
import { createBatchRunner } from './run-batch.ts';
import { sqliteFailureOf } from './sqlite-failure.ts';
import type { FromWriter, ToWriter, WriterStart } from './writer-protocol.ts';

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
        const result = await runBatch(message.operations);
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
