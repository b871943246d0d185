import { WorkspaceError } from '@stoa/core';
import {
  type BatchResult,
  createBoundedQueues,
  type QueuedScript,
  responseOf,
  type Waiting,
} from '../batches.ts';

/** One is being made durable and one is ready to follow it: the writer never waits for this thread. */
const batchesInFlightMax = 2;

export interface WriterQueue {
  /** @throws WorkspaceError `overloaded` when the queue is full, or the error of the script. */
  submit(queued: QueuedScript, onSent?: (scripts: number) => void): Promise<unknown>;
  /** Settles the oldest batch that was sent. */
  settle(result: BatchResult): void;
  /** Rejects all waiting and future scripts. */
  fail(error: Error): void;
  /** Rejects new scripts; resolves when all submitted ones are settled. */
  drain(): Promise<void>;
}

/** Queues scripts until the writer is free, and sends those that wait together as one batch. */
export function createWriterQueue(send: (scripts: readonly QueuedScript[]) => void): WriterQueue {
  const bounds = createBoundedQueues();
  const waiting: Waiting[] = [];
  const inFlight: (readonly Waiting[])[] = [];
  let rejection: Error | null = null;
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
        if (rejection !== null) throw rejection;
        waiting.push(bounds.admit(queued, { resolve, reject, onSent }));
        sendBatches();
      }),
    settle(result) {
      const batch = inFlight.shift();
      if (batch === undefined) throw new Error('the writer sent a result for an unknown batch');
      for (const [index, { resolve, reject }] of batch.entries()) {
        const response = responseOf(result, index);
        if (response instanceof Error) reject(response);
        else resolve(response.outcome);
      }
      sendBatches();
    },
    fail(error) {
      rejection = error;
      const unanswered = [...inFlight.flat(), ...bounds.takeAll(waiting)];
      inFlight.length = 0;
      for (const { reject } of unanswered) reject(error);
      onIdle?.();
    },
    drain() {
      rejection ??= new WorkspaceError('shutting_down');
      return new Promise((resolve) => {
        onIdle = resolve;
        if (inFlight.length === 0) resolve();
      });
    },
  };
}
