import { WorkspaceError } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { LargeMessage } from '../../mcp/large-message.ts';

export interface MessageReader {
  /**
   * Parses a large body away from this thread, people in turns. The chunks' memory is given away.
   * @returns null when it is not JSON.
   * @throws WorkspaceError `overloaded` when it takes too much time or memory, or too many wait.
   */
  parse(userId: string, chunks: readonly Uint8Array[]): Promise<LargeMessage | null>;
}

export type MessagePool = Pick<WorkerPool<readonly Uint8Array[], LargeMessage | null>, 'ask'>;

export function messageReaderOf(pool: MessagePool): MessageReader {
  return {
    async parse(userId, chunks) {
      const owned = chunks.map(ownMemory);
      const outcome = await pool.ask(owned, {
        keys: [userId],
        transfer: owned.map(({ buffer }) => buffer),
      });
      if (outcome.kind === 'answered') return outcome.answer;
      throw new WorkspaceError(
        'overloaded',
        {},
        'The message was too much for the server: send a smaller one',
      );
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
