import { setImmediate as nextTick } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { ToolResponse } from './tool.ts';

/** Runs the costly calls of one request one after another, and bounds the total size of their results. */
export type BatchedReads = (read: () => Promise<ToolResponse>) => Promise<ToolResponse>;

/** Characters of text. The call that reaches the limit still gets its result; later calls are rejected. */
const textMax = 16 * 1024 * 1024;

export function batchedReads(): BatchedReads {
  let last: Promise<unknown> = Promise.resolve();
  let length = 0;
  return (read) => {
    const responded = last.then(async () => {
      if (length > textMax) {
        throw new WorkspaceError(
          'overloaded',
          {},
          'The batch reads too much: send fewer calls in one request',
        );
      }
      const response = await read();
      const { text } = response;
      length += typeof text === 'string' ? text.length : text.reduce((sum, block) => sum + block.length, 0);
      return response;
    });
    // Lets other requests run between two calls of a batch.
    last = responded.catch(() => {}).then(() => nextTick());
    return responded;
  };
}
