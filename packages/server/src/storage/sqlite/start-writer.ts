// docs/speed.md
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WriterStart } from './run-writer.ts';
import type { FromWriter, ToWriter } from './serve-batches.ts';
import { createWriterQueue, type WriterQueue } from './writer-queue.ts';

export interface Writer {
  readonly submit: WriterQueue['submit'];
  /** Finishes all submitted scripts, then disconnects from the writer thread; the thread that started it ends it. */
  close(): Promise<void>;
}

export interface StartedWriter extends Writer {
  /** Returns a port to the writer for another thread, which has to close it before this one is closed. */
  letJoin(): MessagePort;
}

export interface WriterListeners {
  /** Called before the results of a batch are delivered, and before a change is announced. */
  beforeNews(): void;
  batch(scripts: number): void;
  change(workspaceIds: readonly string[]): void;
  /** Called once when the thread fails: nothing more can be written, and the process must stop. */
  fatal(error: Error): void;
}

/** Starts the writer thread and resolves when it has opened the database. */
export async function startWriter(url: URL, start: WriterStart, on: WriterListeners): Promise<StartedWriter> {
  const worker = new Worker(url, { workerData: start, name: 'writer' });
  const post = (message: ToWriter, transfer: readonly MessagePort[] = []) =>
    worker.postMessage(message, [...transfer]);
  const client = createClient(post, on);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the writer ended before it was ready')));
  });
  worker.removeAllListeners('error');
  worker.on('error', (error) => client.fail(error instanceof Error ? error : new Error(String(error))));
  worker.once('exit', () => client.ended());
  worker.on('message', client.receive);
  return {
    submit: client.submit,
    letJoin() {
      const { port1, port2 } = new MessageChannel();
      post({ kind: 'join', port: port1 }, [port1]);
      return port2;
    },
    async close() {
      await client.drain();
      post({ kind: 'close' });
      await exited;
    },
  };
}

/** Connects to the writer that another thread of this process started, by the port that it provided. */
export function joinWriter(port: MessagePort, on: WriterListeners): Writer {
  const client = createClient((message) => port.postMessage(message), on);
  port.on('message', client.receive);
  port.once('close', () => client.ended());
  return {
    submit: client.submit,
    async close() {
      await client.drain();
      port.close();
    },
  };
}

/** One thread's side: its queue, and the handling of the writer's messages. */
function createClient(post: (message: ToWriter) => void, on: WriterListeners) {
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
  return {
    submit: queue.submit,
    fail,
    ended() {
      if (!isClosing) fail(new Error('the writer ended'));
    },
    async drain() {
      await queue.drain();
      isClosing = true;
    },
    receive(message: FromWriter) {
      switch (message.kind) {
        case 'ready':
          return;
        case 'changed':
          on.beforeNews();
          post({ kind: 'heard' });
          on.change(message.workspaceIds);
          return;
        case 'batch': {
          const { result } = message;
          on.beforeNews();
          queue.settle(result);
          if (result.kind === 'fatal') fail(new Error(result.message));
          if (result.kind === 'committed' && result.changedWorkspaces.length > 0) {
            on.change(result.changedWorkspaces);
          }
          return;
        }
      }
    },
  };
}
