import { Worker } from 'node:worker_threads';
import { WorkspaceError } from '@stoa/core';
import type { LargeMessage } from '../../mcp/large-message.ts';

/** A body to be parsed, or what came of one: null when it is no JSON. */
export interface MessageQuestion {
  readonly id: number;
  readonly chunks: readonly Uint8Array[];
}
export interface MessageAnswer {
  readonly id: number;
  readonly parsed: LargeMessage | null;
}

export interface MessageReader extends AsyncDisposable {
  /**
   * Parses a large body away from this thread. The chunks' memory is given away.
   * @returns null when it is no JSON.
   * @throws WorkspaceError `overloaded` when the thread ended over it.
   */
  parse(chunks: readonly Uint8Array[]): Promise<LargeMessage | null>;
}

interface Waiting {
  resolve(parsed: LargeMessage | null): void;
  reject(error: Error): void;
}

/**
 * Keeps one thread for it, started when the first large body comes. Its callers see to how many come at once.
 * @param threadUrl the module that answers each `MessageQuestion` with a `MessageAnswer`.
 */
export function createMessageReader(threadUrl: URL): MessageReader {
  let worker: Worker | null = null;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  const failAll = () => {
    worker = null;
    for (const { reject } of waiting.values()) {
      reject(new WorkspaceError('overloaded', {}, 'The message is too large to process: send a smaller one'));
    }
    waiting.clear();
  };
  const startThread = () => {
    const started = new Worker(threadUrl);
    started.unref();
    started.on('message', ({ id, parsed }: MessageAnswer) => {
      waiting.get(id)?.resolve(parsed);
      waiting.delete(id);
    });
    // Out of memory, for instance: whoever waits is told, and the next message starts another thread.
    started.on('error', () => {});
    started.once('exit', failAll);
    // An answer that cannot be read does not say whose it is: nobody may wait for it for ever.
    started.on('messageerror', () => void started.terminate());
    return started;
  };
  return {
    parse: (chunks) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        worker ??= startThread();
        const owned = chunks.map(ownMemory);
        const question: MessageQuestion = { id: lastId, chunks: owned };
        worker.postMessage(
          question,
          owned.map(({ buffer }) => buffer),
        );
      }),
    async [Symbol.asyncDispose]() {
      await worker?.terminate();
    },
  };
}

/** Only memory that holds nothing else can be given away. */
function ownMemory(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = chunk;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : Uint8Array.from(chunk);
}
