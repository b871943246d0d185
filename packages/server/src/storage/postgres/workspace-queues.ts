// docs/decisions/0026-postgresql-by-lanes.md
import { WorkspaceError } from '@stoa/core';
import {
  answerOf,
  type BatchResult,
  createBoundedQueues,
  type QueuedScript,
  rolledBack,
  type ScriptResult,
  type Waiting,
} from '../batches.ts';

/** A workspace's id, or the queue of everything that is about no single workspace. */
export type QueueName = string;
export const sharedQueue: QueueName = '';

/** Nothing of the script was kept: it has to be run in another queue. */
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
  /** @throws WorkspaceError `overloaded` when too much is waiting, or the refusal of the script. */
  submit(queue: QueueName, queued: QueuedScript, onSent?: (scripts: number) => void): Promise<unknown>;
  /** Refuses new scripts; resolves when all submitted ones are answered. */
  drain(): Promise<void>;
}

interface WorkspaceQueue {
  readonly waiting: Waiting[];
  /** Whether its turn comes, or it has it: a queue has one batch at a time. */
  state: 'idle' | 'ready' | 'running';
}

/** The scripts of one transaction. */
export interface QueuedBatch {
  readonly scripts: readonly QueuedScript[];
  /** When whoever waits longest is told to come back. */
  readonly giveUpAt: number;
  /** Takes what has come to the queue meanwhile, as far as it fits: they are the last of `scripts` then. @returns how many */
  grow(): number;
}

/** With less time left a script is not tried again: else a held row would be asked for at each one's last moment. */
const retryMsMin = 100;

/** How long a script's caller waits, in however many batches. */
interface Deadline {
  readonly giveUpAt: number;
  queueName: QueueName;
  isOver: boolean;
}

/**
 * One batch at a time in each queue; what arrives meanwhile shares the next one. Queues take turns for the `atOnceMax`
 * batches that may be under way. A batch that is under way may take what has come meanwhile.
 *
 * Each script has `waitMs` from its arrival on, its time in the queue included: one that still waits is refused then, and
 * one whose batch was rolled back because others hold its rows is tried again until then.
 * @param run gives up at the time of the script that has waited longest
 */
export function createWorkspaceQueues(
  run: (queueName: QueueName, batch: QueuedBatch) => Promise<QueueResult>,
  { atOnceMax, waitMs }: { readonly atOnceMax: number; readonly waitMs: number },
): WorkspaceQueues {
  const bounds = createBoundedQueues();
  const queues = new Map<QueueName, WorkspaceQueue>();
  const deadlines = new Map<Waiting, Deadline>();
  /** Queues that wait for their turn, each once. */
  const ready: QueueName[] = [];
  let underWay = 0;
  let refusal: Error | null = null;
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
    // One that is in a batch is told what becomes of that.
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
      // All that waited may have been refused meanwhile.
      if (batch.length > 0) {
        const scripts = batch.map(({ queued }) => queued);
        const giveUpAt = Math.min(...batch.map((waiting) => deadlineOf(waiting).giveUpAt));
        const grow = () => {
          const joining = bounds.takeBatch(queue.waiting, batch);
          batch.push(...joining);
          scripts.push(...joining.map(({ queued }) => queued));
          return joining.length;
        };
        answer(batch, await run(queueName, { scripts, giveUpAt, grow }));
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
  const answer = (batch: readonly Waiting[], result: QueueResult) => {
    const isHeldUp = result.kind === 'rolled_back' && result.reason === 'busy';
    for (const [index, waiting] of batch.entries()) {
      const deadline = deadlineOf(waiting);
      if (isHeldUp && !deadline.isOver && performance.now() + retryMsMin < deadline.giveUpAt) {
        bounds.readmit(waiting, queueNamed(deadline.queueName).waiting);
        continue;
      }
      const answered = answerAt(result, index);
      if (answered instanceof Error) {
        waiting.reject(answered);
      } else if ('outcome' in answered) {
        waiting.resolve(answered.outcome);
      } else {
        // Twice at most: from here to the workspace's queue or back, and workspaces do not go away.
        const queue = queueNamed(answered.queueName);
        deadline.queueName = answered.queueName;
        bounds.readmit(waiting, queue.waiting);
        arrived(answered.queueName, queue);
      }
    }
  };

  return {
    submit: (queueName, queued, onSent) =>
      new Promise((resolve, reject) => {
        if (refusal !== null) throw refusal;
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
      refusal ??= new WorkspaceError('shutting_down');
      return new Promise((resolve) => {
        onIdle = resolve;
        if (underWay === 0) resolve();
      });
    },
  };
}

function answerAt(result: QueueResult, index: number): Elsewhere | ReturnType<typeof answerOf> {
  if (result.kind !== 'committed') return answerOf(result, index);
  const one = result.results[index];
  if (one?.kind === 'elsewhere') return one;
  return answerOf({ ...result, results: one === undefined ? [] : [one] }, 0);
}
