import { Worker } from 'node:worker_threads';
import type { WriterStart } from './run-writer.ts';
import type { FromWriter, ToWriter } from './serve-batches.ts';
import { createWriterQueue, type WriterQueue } from './writer-queue.ts';

export interface Writer {
  readonly submit: WriterQueue['submit'];
  /** Finishes all submitted scripts, then ends the writer thread. */
  close(): Promise<void>;
}

export interface WriterListeners {
  /** Called before the results of a batch are delivered. */
  beforeNews(): void;
  batch(scripts: number): void;
  change(workspaceIds: readonly string[]): void;
  /** Called once when the thread fails: nothing more can be written, and the process must stop. */
  fatal(error: Error): void;
}

/** Starts the writer thread and resolves when it has opened the database. */
export async function startWriter(url: URL, start: WriterStart, on: WriterListeners): Promise<Writer> {
  const worker = new Worker(url, { workerData: start, name: 'writer' });
  const post = (message: ToWriter) => worker.postMessage(message);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const queue = createWriterQueue((scripts) => {
    on.batch(scripts.length);
    post({ kind: 'batch', scripts });
  });
  let isClosing = false;
  let hasFailed = false;
  const fail = (error: Error) => {
    if (hasFailed) return;
    hasFailed = true;
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
    if (!isClosing) fail(new Error('the writer ended'));
  });
  worker.on('message', (message: FromWriter) => {
    if (message.kind !== 'batch') return;
    const { result } = message;
    on.beforeNews();
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
      isClosing = true;
      post({ kind: 'close' });
      await exited;
    },
  };
}
