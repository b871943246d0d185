import { Worker } from 'node:worker_threads';
import { WorkspaceError } from '@stoa/core';
import {
  answerOf,
  type BatchResult,
  createBoundedQueues,
  type QueuedScript,
  type Waiting,
} from '../batches.ts';
import type { FromWriter, ToWriter, WriterStart } from './run-writer.ts';

/** One being made durable and one ready to follow it: the writer never waits for this thread. */
const batchesInFlightMax = 2;

export interface WriterQueue {
  /** @throws WorkspaceError `overloaded` when too much is waiting, or the refusal of the script. */
  submit(queued: QueuedScript, onSent?: (scripts: number) => void): Promise<unknown>;
  /** The answer to the oldest batch that was sent. */
  settle(result: BatchResult): void;
  /** Refuses everything that waits and everything that comes. */
  fail(error: Error): void;
  /** Refuses new scripts; resolves when all submitted ones are answered. */
  drain(): Promise<void>;
}

/** Holds scripts until the writer is free for them and sends those that wait together as one batch. */
export function createWriterQueue(send: (scripts: readonly QueuedScript[]) => void): WriterQueue {
  const bounds = createBoundedQueues();
  const waiting: Waiting[] = [];
  const inFlight: (readonly Waiting[])[] = [];
  let refusal: Error | null = null;
  let onIdle: (() => void) | null = null;

  const sendBatches = () => {
    while (inFlight.length < batchesInFlightMax && waiting.length > 0) {
      const batch = bounds.takeBatch(waiting);
      inFlight.push(batch);
      send(batch.map(({ queued }) => queued));
    }
    if (inFlight.length === 0) onIdle?.();
  };

  return {
    submit: (queued, onSent) =>
      new Promise((resolve, reject) => {
        if (refusal !== null) throw refusal;
        waiting.push(bounds.admit(queued, { resolve, reject, onSent }));
        sendBatches();
      }),
    settle(result) {
      const batch = inFlight.shift();
      if (batch === undefined) throw new Error('the writer answered a batch that was not sent');
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answerOf(result, index);
        if (answer instanceof Error) reject(answer);
        else resolve(answer.outcome);
      }
      sendBatches();
    },
    fail(error) {
      refusal = error;
      const unanswered = [...inFlight.flat(), ...bounds.takeAll(waiting)];
      inFlight.length = 0;
      for (const { reject } of unanswered) reject(error);
      onIdle?.();
    },
    drain() {
      refusal ??= new WorkspaceError('shutting_down');
      return new Promise((resolve) => {
        onIdle = resolve;
        if (inFlight.length === 0) resolve();
      });
    },
  };
}

export interface Writer {
  readonly submit: WriterQueue['submit'];
  /** Finishes all submitted scripts, then ends the thread. */
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
    /** Called before the scripts of a batch are answered. */
    answer(): void;
    batch(scripts: number): void;
    change(workspaceIds: readonly string[]): void;
    fatal(error: Error): void;
  },
): Promise<Writer> {
  const worker = new Worker(url, { workerData: start, name: 'writer' });
  const queue = createWriterQueue((scripts) => {
    on.batch(scripts.length);
    post({ kind: 'batch', scripts });
  });
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
    on.answer();
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
