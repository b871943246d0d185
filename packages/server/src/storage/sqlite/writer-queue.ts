import { WorkspaceError } from '@stoa/core';
import { packCommand } from './pack-command.ts';
import type { BatchResult, Operation, OperationResult } from './writer-protocol.ts';

/** What one commit takes at most. */
const batchOperationsMax = 256;
const batchBytesMax = 8 * 1024 * 1024;
/** One being made durable and one ready to follow it: the writer never waits for this thread. */
const batchesInFlightMax = 2;
/** Beyond this the caller is told to come back: a longer queue only makes every answer late. */
const waitingOperationsMax = 10_000;
const waitingBytesMax = 256 * 1024 * 1024;

interface Waiting {
  readonly operation: Operation;
  readonly sizeBytes: number;
  resolve(outcome: unknown): void;
  reject(error: Error): void;
}

export interface WriterQueue {
  /** @throws WorkspaceError `overloaded` when too much is waiting, or what the operation is refused with. */
  submit(operation: Operation): Promise<unknown>;
  /** The answer to the oldest batch that was sent. */
  settle(result: BatchResult): void;
  /** Refuses everything that waits and everything that comes. */
  fail(error: Error): void;
  /** Refuses what comes; resolves when all that was submitted is answered. */
  drain(): Promise<void>;
}

/** Holds operations until the writer is free for them and sends those that wait together as one batch. */
export function createWriterQueue(send: (operations: readonly Operation[]) => void): WriterQueue {
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  const inFlight: (readonly Waiting[])[] = [];
  let refusal: Error | null = null;
  let onIdle: (() => void) | null = null;

  const sendBatches = () => {
    while (inFlight.length < batchesInFlightMax && waiting.length > 0) {
      const batch = takeBatch();
      inFlight.push(batch);
      send(batch.map(({ operation }) => operation));
    }
    if (inFlight.length === 0) onIdle?.();
  };
  const takeBatch = (): readonly Waiting[] => {
    let count = 0;
    let bytes = 0;
    for (const { sizeBytes } of waiting) {
      if (count === batchOperationsMax || (count > 0 && bytes + sizeBytes > batchBytesMax)) break;
      count += 1;
      bytes += sizeBytes;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingBytes -= bytes;
    return batch;
  };

  return {
    submit: ({ script, command }) =>
      new Promise((resolve, reject) => {
        if (refusal !== null) throw refusal;
        const packed = packCommand(command);
        if (waiting.length >= waitingOperationsMax || waitingBytes + packed.sizeBytes > waitingBytesMax) {
          throw new WorkspaceError('overloaded', {}, 'Too many changes are waiting to be written.');
        }
        waiting.push({
          operation: { script, command: packed.command },
          sizeBytes: packed.sizeBytes,
          resolve,
          reject,
        });
        waitingBytes += packed.sizeBytes;
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
      const unanswered = [...inFlight.flat(), ...waiting];
      inFlight.length = 0;
      waiting = [];
      waitingBytes = 0;
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

function answerOf(result: BatchResult, index: number): Error | { readonly outcome: unknown } {
  switch (result.kind) {
    case 'committed': {
      const one = result.results[index];
      if (one === undefined) return new Error('the writer left an operation unanswered');
      return outcomeOf(one);
    }
    case 'rolled_back':
      return result.reason === 'storage_full'
        ? new WorkspaceError('storage_full')
        : new WorkspaceError('overloaded', {}, 'Another process holds the database.');
    case 'fatal':
      return new Error(`The database failed: ${result.message}`);
  }
}

function outcomeOf(result: OperationResult): Error | { readonly outcome: unknown } {
  switch (result.kind) {
    case 'done':
      return { outcome: result.outcome };
    case 'refused':
      return new WorkspaceError(result.code, result.details, result.message);
    case 'failed':
      return new Error(result.message, { cause: result.stack });
  }
}
