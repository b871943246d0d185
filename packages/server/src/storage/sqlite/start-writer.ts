import { Worker } from 'node:worker_threads';
import type { FromWriter, ToWriter, WriterStart } from './writer-protocol.ts';
import { createWriterQueue, type WriterQueue } from './writer-queue.ts';

export interface Writer {
  readonly submit: WriterQueue['submit'];
  /** Finishes all submitted operations, then ends the thread. */
  close(): Promise<void>;
}

/**
 * Starts the writer's thread and resolves when it has opened the database.
 * @param onFatal is called once when the thread fails: nothing more can be written, and the process must stop.
 */
export async function startWriter(
  url: URL,
  start: WriterStart,
  on: {
    change(workspaceIds: readonly string[]): void;
    fatal(error: Error): void;
  },
): Promise<Writer> {
  const worker = new Worker(url, { workerData: start, name: 'writer' });
  const queue = createWriterQueue((operations) => post({ kind: 'batch', operations }));
  const post = (message: ToWriter) => worker.postMessage(message);
  let closing = false;
  let failed = false;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const fail = (error: Error) => {
    if (failed) return;
    failed = true;
    queue.fail(new Error(`The database can no longer be written: ${error.message}`, { cause: error }));
    on.fatal(error);
  };

  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the writer ended before it was ready')));
  });
  worker.removeAllListeners('error');
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.once('exit', () => {
    if (!closing) fail(new Error('the writer ended'));
  });
  worker.on('message', (message: FromWriter) => {
    if (message.kind === 'ready') return;
    const { result } = message;
    queue.settle(result);
    if (result.kind === 'fatal') fail(new Error(result.message));
    if (result.kind === 'committed' && result.changedWorkspaces.length > 0) {
      on.change(result.changedWorkspaces);
    }
  });
  return {
    submit: queue.submit,
    async close() {
      await queue.drain();
      closing = true;
      post({ kind: 'close' });
      await exited;
    },
  };
}
