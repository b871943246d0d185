import { type ErrorCode, type ErrorDetails, WorkspaceError } from '@stoa/core';
import type { AuditOrigin } from '../service/ports/audit.ts';
import type { Script } from '../service/ports/script.ts';

/** A queued script, by its name, with its command. */
export interface QueuedScript {
  readonly script: string;
  readonly command: unknown;
  /** Only for a script that writes audit entries. */
  readonly origin?: AuditOrigin;
}

/** Builds the queue entry when a script is submitted: only now is the origin of the request known. */
export function queuedScript<Command>(script: Script<Command, unknown>, command: Command): QueuedScript {
  const queued = { script: script.name, command };
  return script.originOf === null ? queued : { ...queued, origin: script.originOf() };
}

export type ScriptResult =
  | { readonly kind: 'done'; readonly outcome: unknown }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly details: ErrorDetails;
      readonly message: string;
    }
  /** A bug in the script or in its command. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };

export type BatchResult =
  /** `results` are in the order of the scripts. The feeds of `changedWorkspaces` have grown. */
  | {
      readonly kind: 'committed';
      readonly results: readonly ScriptResult[];
      readonly changedWorkspaces: readonly string[];
    }
  /** Nothing of the batch was stored; the next may be. */
  | { readonly kind: 'rolled_back'; readonly reason: 'storage_full' | 'busy' | 'unreachable' }
  /** The database stopped responding during the commit: the outcome could not be determined. */
  | { readonly kind: 'unknown' }
  /** Nothing of the batch may be relied on, and nothing more can be written. */
  | { readonly kind: 'fatal'; readonly message: string };

export function rejectedResult(error: unknown): ScriptResult {
  if (error instanceof WorkspaceError) {
    return { kind: 'refused', code: error.code, details: error.details, message: error.message };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failed', message, stack: stack ?? '' };
}

const batchScriptsMax = 256;
const batchBytesMax = 8 * 1024 * 1024;
/** Beyond this, callers are rejected: a longer queue would only delay every response. */
const waitingScriptsMax = 10_000;
const waitingBytesMax = 256 * 1024 * 1024;

/** A queued script, and the promise of its caller. */
export interface Waiting {
  readonly queued: QueuedScript;
  readonly sizeBytes: number;
  resolve(outcome: unknown): void;
  reject(error: Error): void;
  /** Called with the number of scripts in its batch, each time that it is in one. */
  readonly onSent: ((scripts: number) => void) | undefined;
}

/** Bounds the scripts that wait in one process, over any number of queues. */
export interface BoundedQueues {
  /** @throws WorkspaceError `overloaded` when it is full. */
  admit(queued: QueuedScript, caller: Pick<Waiting, 'resolve' | 'reject' | 'onSent'>): Waiting;
  /** Returns a script to a queue after it was taken from one: never rejects. */
  readmit(waiting: Waiting, queue: Waiting[]): void;
  /** Takes the next batch from the front of a queue, or as much as still fits into a batch with `joined`. */
  takeBatch(queue: Waiting[], joined?: readonly Waiting[]): readonly Waiting[];
  /** Removes one entry from a queue. @returns false when it is no longer there. */
  remove(waiting: Waiting, queue: Waiting[]): boolean;
  takeAll(queue: Waiting[]): readonly Waiting[];
}

export function createBoundedQueues(): BoundedQueues {
  let scripts = 0;
  let bytes = 0;
  const take = (queue: Waiting[], count: number, from = 0): readonly Waiting[] => {
    const taken = queue.splice(from, count);
    scripts -= taken.length;
    for (const { sizeBytes } of taken) bytes -= sizeBytes;
    return taken;
  };
  return {
    admit(queued, { resolve, reject, onSent }) {
      const packed = packCommand(queued.command);
      if (scripts >= waitingScriptsMax || bytes + packed.sizeBytes > waitingBytesMax) {
        throw new WorkspaceError(
          'overloaded',
          {},
          'Too many changes are waiting to be written: try again in a moment.',
        );
      }
      scripts += 1;
      bytes += packed.sizeBytes;
      return {
        queued: { ...queued, command: packed.command },
        sizeBytes: packed.sizeBytes,
        resolve,
        reject,
        onSent,
      };
    },
    readmit(waiting, queue) {
      scripts += 1;
      bytes += waiting.sizeBytes;
      queue.push(waiting);
    },
    takeBatch(queue, joined = []) {
      let count = joined.length;
      let batchBytes = joined.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      for (const { sizeBytes } of queue) {
        if (count >= batchScriptsMax || (count > 0 && batchBytes + sizeBytes > batchBytesMax)) break;
        count += 1;
        batchBytes += sizeBytes;
      }
      const batch = take(queue, count - joined.length);
      for (const { onSent } of batch) onSent?.(count);
      return batch;
    },
    remove(waiting, queue) {
      const at = queue.indexOf(waiting);
      return at >= 0 && take(queue, 1, at).length > 0;
    },
    takeAll: (queue) => take(queue, queue.length),
  };
}

export interface PackedCommand {
  readonly command: unknown;
  /** About the number of bytes that it occupies in memory. */
  readonly sizeBytes: number;
}

/** Overhead of each value in a command. */
const valueBytes = 16;

/**
 * Prepares a command, which is plain data, for another thread. Bytes that are a view of a larger buffer are copied,
 * because the transfer would copy the whole buffer.
 */
export function packCommand(command: unknown): PackedCommand {
  // Sending it would throw later, when it shares a message with other commands.
  if (typeof command === 'function' || typeof command === 'symbol') {
    throw new Error(`a command is plain data, not a ${typeof command}`);
  }
  if (typeof command === 'string') return { command, sizeBytes: valueBytes + command.length * 2 };
  if (typeof command !== 'object' || command === null) return { command, sizeBytes: valueBytes };
  if (command instanceof Uint8Array) {
    const owned = command.byteLength === command.buffer.byteLength ? command : Uint8Array.from(command);
    return { command: owned, sizeBytes: valueBytes + command.byteLength };
  }
  const prototype: unknown = Object.getPrototypeOf(command);
  if (!Array.isArray(command) && prototype !== Object.prototype && prototype !== null) {
    throw new Error(`a command is plain data, not ${command.constructor?.name}`);
  }
  let sizeBytes = valueBytes;
  let packed: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(command)) {
    const part = packCommand(value);
    sizeBytes += part.sizeBytes;
    if (part.command === value) continue;
    packed ??= { ...command };
    packed[name] = part.command;
  }
  if (packed === null) return { command, sizeBytes };
  return { command: Array.isArray(command) ? Object.values(packed) : packed, sizeBytes };
}

/** Returns the outcome for the caller of script number `index` of the batch. */
export function responseOf(result: BatchResult, index: number): Error | { readonly outcome: unknown } {
  switch (result.kind) {
    case 'committed': {
      const one = result.results[index];
      if (one === undefined) return new Error('the writer returned no result for a script');
      return outcomeOf(one);
    }
    case 'rolled_back':
      return rolledBack(result.reason);
    case 'unknown':
      return new WorkspaceError(
        'overloaded',
        {},
        'The database stopped responding during this change, so it may or may not have been saved. Check before you repeat it.',
      );
    case 'fatal':
      return new Error(`The database failed: ${result.message}`);
  }
}

/** Returns the error for a change of which nothing was stored. */
export function rolledBack(reason: 'storage_full' | 'busy' | 'unreachable'): WorkspaceError {
  switch (reason) {
    case 'storage_full':
      return new WorkspaceError('storage_full');
    case 'busy':
      return new WorkspaceError(
        'overloaded',
        {},
        'The database is locked by other work. Nothing was changed: try again.',
      );
    case 'unreachable':
      return new WorkspaceError(
        'overloaded',
        {},
        'The database does not respond. Nothing was changed: try again.',
      );
  }
}

function outcomeOf(result: ScriptResult): Error | { readonly outcome: unknown } {
  switch (result.kind) {
    case 'done':
      return { outcome: result.outcome };
    case 'refused':
      return new WorkspaceError(result.code, result.details, result.message);
    case 'failed':
      return new Error(result.message, { cause: result.stack });
  }
}
