// docs/decisions/0014-postgresql-queues.md
import { WorkspaceError } from '@stoa/core';
import {
  type BatchResult,
  createBoundedQueues,
  type QueuedScript,
  responseOf,
  rolledBack,
  type ScriptResult,
  type Waiting,
} from '../batches.ts';

/** A workspace's id, or the queue of everything without a single workspace. */
export type QueueName = string;
export const sharedQueue: QueueName = '';

/** Nothing of the script was stored: it has to run in another queue. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
  readonly queueName: QueueName;
}

export type QueueResult =
  | Exclude<BatchResult, { kind: 'committed' }>
  | {
      readonly kind: 'committed';
      readonly results: readonly (ScriptResult | Elsewhere)[];
      readonly changedWorkspaces: readonly string[];
    };

export interface WorkspaceQueues {
  /** @throws WorkspaceError `overloaded` when the queue is full, or the error of the script. */
  submit(queue: QueueName, queued: QueuedScript, onSent?: (scripts: number) => void): Promise<unknown>;
  /** Rejects new scripts; resolves when all submitted ones are settled. */
  drain(): Promise<void>;
}

interface WorkspaceQueue {
  readonly waiting: Waiting[];
  /** Whether it is scheduled or running: a queue has one batch at a time. */
  state: 'idle' | 'ready' | 'running';
}

export interface QueuedBatch {
  readonly scripts: readonly QueuedScript[];
  /** The earliest deadline among the callers. */
  readonly giveUpAt: number;
  /** Adds newly queued scripts, as far as they fit, at the end of `scripts`. @returns their number */
  grow(): number;
}

/** With less time left a script is not retried: otherwise each one would request a held row at its last moment. */
const retryMsMin = 100;

/** Deadline of a script's caller, across any number of batches. */
interface Deadline {
  readonly giveUpAt: number;
  queueName: QueueName;
  isOver: boolean;
}

/**
 * Runs one batch at a time in each queue; scripts that arrive during a batch share the next one. The queues share
 * `atOnceMax` running batches fairly. A running batch may include scripts that arrived since.
 *
 * Each script has `waitMs` from its arrival, including its time in the queue. A script that still waits then is
 * rejected. A script whose batch was rolled back because others hold its rows is retried until then.
 * @param run gives up at the deadline of the oldest script
 */
export function createWorkspaceQueues(
  run: (queueName: QueueName, batch: QueuedBatch) => Promise<QueueResult>,
  { atOnceMax, waitMs }: { readonly atOnceMax: number; readonly waitMs: number },
): WorkspaceQueues {
  const bounds = createBoundedQueues();
  const queues = new Map<QueueName, WorkspaceQueue>();
  const deadlines = new Map<Waiting, Deadline>();
  /** Queues that are ready to run, each once. */
  const ready: QueueName[] = [];
  let underWay = 0;
  let rejection: Error | null = null;
  let onIdle: (() => void) | null = null;

  const queueNamed = (queueName: QueueName): WorkspaceQueue => {
    const known = queues.get(queueName);
    if (known !== undefined) return known;
    const queue: WorkspaceQueue = { waiting: [], state: 'idle' };
    queues.set(queueName, queue);
    return queue;
  };
  const arrived = (queueName: QueueName, queue: WorkspaceQueue) => {
    if (queue.state === 'idle') {
      queue.state = 'ready';
      ready.push(queueName);
    }
    startBatches();
  };
  const deadlineOf = (waiting: Waiting): Deadline => {
    const deadline = deadlines.get(waiting);
    if (deadline === undefined) throw new Error('a script waits without a deadline');
    return deadline;
  };
  const expire = (waiting: Waiting) => {
    const deadline = deadlineOf(waiting);
    deadline.isOver = true;
    // A script in a batch gets that batch's result.
    if (bounds.remove(waiting, queueNamed(deadline.queueName).waiting)) waiting.reject(rolledBack('busy'));
  };
  const startBatches = () => {
    while (underWay < atOnceMax) {
      const queueName = ready.shift();
      if (queueName === undefined) break;
      underWay += 1;
      void runNext(queueName, queueNamed(queueName));
    }
    if (underWay === 0) onIdle?.();
  };
  const runNext = async (queueName: QueueName, queue: WorkspaceQueue) => {
    queue.state = 'running';
    const batch = [...bounds.takeBatch(queue.waiting)];
    try {
      // All of them may have been rejected in the meantime.
      if (batch.length > 0) {
        const scripts = batch.map(({ queued }) => queued);
        const giveUpAt = Math.min(...batch.map((waiting) => deadlineOf(waiting).giveUpAt));
        const grow = () => {
          const joining = bounds.takeBatch(queue.waiting, batch);
          batch.push(...joining);
          scripts.push(...joining.map(({ queued }) => queued));
          return joining.length;
        };
        response(batch, await run(queueName, { scripts, giveUpAt, grow }));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
    }
    queue.state = 'idle';
    underWay -= 1;
    if (queue.waiting.length > 0) arrived(queueName, queue);
    else queues.delete(queueName);
    startBatches();
  };
  const response = (batch: readonly Waiting[], result: QueueResult) => {
    const isHeldUp = result.kind === 'rolled_back' && result.reason === 'busy';
    for (const [index, waiting] of batch.entries()) {
      const deadline = deadlineOf(waiting);
      if (isHeldUp && !deadline.isOver && performance.now() + retryMsMin < deadline.giveUpAt) {
        bounds.readmit(waiting, queueNamed(deadline.queueName).waiting);
        continue;
      }
      const responded = resultAt(result, index);
      if (responded instanceof Error) {
        waiting.reject(responded);
      } else if ('outcome' in responded) {
        waiting.resolve(responded.outcome);
      } else {
        // Twice at most: from here to the workspace's queue or back, and workspaces are not deleted.
        const queue = queueNamed(responded.queueName);
        deadline.queueName = responded.queueName;
        bounds.readmit(waiting, queue.waiting);
        arrived(responded.queueName, queue);
      }
    }
  };

  return {
    submit: (queueName, queued, onSent) =>
      new Promise((resolve, reject) => {
        if (rejection !== null) throw rejection;
        const settled = () => {
          clearTimeout(timer);
          deadlines.delete(admitted);
        };
        const admitted = bounds.admit(queued, {
          resolve(outcome) {
            settled();
            resolve(outcome);
          },
          reject(error) {
            settled();
            reject(error);
          },
          onSent,
        });
        deadlines.set(admitted, { giveUpAt: performance.now() + waitMs, queueName, isOver: false });
        const timer = setTimeout(() => expire(admitted), waitMs);
        const queue = queueNamed(queueName);
        queue.waiting.push(admitted);
        arrived(queueName, queue);
      }),
    drain() {
      rejection ??= new WorkspaceError('shutting_down');
      return new Promise((resolve) => {
        onIdle = resolve;
        if (underWay === 0) resolve();
      });
    },
  };
}

function resultAt(result: QueueResult, index: number): Elsewhere | ReturnType<typeof responseOf> {
  if (result.kind !== 'committed') return responseOf(result, index);
  const one = result.results[index];
  if (one?.kind === 'elsewhere') return one;
  return responseOf({ ...result, results: one === undefined ? [] : [one] }, 0);
}
