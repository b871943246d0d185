import { WorkspaceError } from '@stoa/core';
import type { Operation } from './operation.ts';
import { packCommand } from './pack-command.ts';

/** The most that one commit takes. */
const batchOperationsMax = 256;
const batchBytesMax = 8 * 1024 * 1024;
/** Beyond this the caller is told to come back: a longer queue only makes every answer late. */
const waitingOperationsMax = 10_000;
const waitingBytesMax = 256 * 1024 * 1024;

/** An operation that waits for its batch, and its caller who waits for the answer. */
export interface Waiting {
  readonly operation: Operation;
  readonly sizeBytes: number;
  resolve(outcome: unknown): void;
  reject(error: Error): void;
}

/** Bounds how much waits in one process, in however many lines. */
export interface WaitingRoom {
  /** @throws WorkspaceError `overloaded` when it is full. */
  admit(operation: Operation, caller: Pick<Waiting, 'resolve' | 'reject'>): Waiting;
  /** Lets one in again that was taken from a line before: never refused. */
  readmit(waiting: Waiting, line: Waiting[]): void;
  /** Takes the next batch from the front of a line. */
  takeBatch(line: Waiting[]): readonly Waiting[];
  /** Takes one that waits somewhere in a line. @returns false when it is there no more. */
  remove(waiting: Waiting, line: Waiting[]): boolean;
  /** Takes all of a line. */
  takeAll(line: Waiting[]): readonly Waiting[];
}

export function createWaitingRoom(): WaitingRoom {
  let operations = 0;
  let bytes = 0;
  const take = (line: Waiting[], count: number, from = 0): readonly Waiting[] => {
    const taken = line.splice(from, count);
    operations -= taken.length;
    for (const { sizeBytes } of taken) bytes -= sizeBytes;
    return taken;
  };
  return {
    admit({ script, command }, { resolve, reject }) {
      const packed = packCommand(command);
      if (operations >= waitingOperationsMax || bytes + packed.sizeBytes > waitingBytesMax) {
        throw new WorkspaceError(
          'overloaded',
          {},
          'Too many changes are waiting to be written: try again in a moment.',
        );
      }
      operations += 1;
      bytes += packed.sizeBytes;
      return { operation: { script, command: packed.command }, sizeBytes: packed.sizeBytes, resolve, reject };
    },
    readmit(waiting, line) {
      operations += 1;
      bytes += waiting.sizeBytes;
      line.push(waiting);
    },
    takeBatch(line) {
      let count = 0;
      let batchBytes = 0;
      for (const { sizeBytes } of line) {
        if (count === batchOperationsMax || (count > 0 && batchBytes + sizeBytes > batchBytesMax)) break;
        count += 1;
        batchBytes += sizeBytes;
      }
      return take(line, count);
    },
    remove(waiting, line) {
      const at = line.indexOf(waiting);
      return at >= 0 && take(line, 1, at).length > 0;
    },
    takeAll: (line) => take(line, line.length),
  };
}
