import { WorkspaceError } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { LargeMessage } from '../../mcp/large-message.ts';

/** Parses large bodies in workers, off the thread that serves requests, and fairly among users. */
export interface MessageReader {
  /**
   * Call before a large body is held in memory.
   * @returns a function that releases it
   * @throws WorkspaceError `overloaded`
   */
  hold(userId: string): Promise<() => void>;
  /**
   * Transfers the chunks' memory to the worker.
   * @returns null if it is not JSON
   * @throws WorkspaceError `overloaded` if it takes too much time or memory, or too many wait
   */
  parse(userId: string, chunks: readonly Uint8Array[]): Promise<LargeMessage | null>;
}

export type MessagePool = Pick<WorkerPool<readonly Uint8Array[], LargeMessage | null>, 'ask'>;

/** Bodies up to this size have their own worker and never wait for a larger one. */
const shortBytesMax = 4 * 1024 * 1024;
/** Bodies in memory, of all users and of one user: a slow upload must not block the others. */
const heldMax = 8;
const heldOfOneMax = 2;
const waitingMax = 1000;

export function messageReaderOf(short: MessagePool, long: MessagePool): MessageReader {
  const held = createSemaphore(heldMax, { waitingMax, atOnceOfOne: heldOfOneMax });
  return {
    hold: (userId) => held.acquire(userId),
    async parse(userId, chunks) {
      const sizeBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const owned = chunks.map(ownMemory);
      const outcome = await (sizeBytes <= shortBytesMax ? short : long).ask(owned, {
        keys: [userId],
        transfer: owned.map(({ buffer }) => buffer),
      });
      if (outcome.kind === 'answered') return outcome.result;
      throw new WorkspaceError('overloaded', {}, 'The body was too much for the server: send a smaller one');
    },
  };
}

/** Only a chunk with its own buffer can be transferred. */
function ownMemory(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = chunk;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : Uint8Array.from(chunk);
}
