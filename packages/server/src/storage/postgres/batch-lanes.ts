// docs/decisions/0026-postgresql-by-lanes.md
import { WorkspaceError } from '@stoa/core';
import { answerOf, rolledBack } from '../batches/answer-of.ts';
import type { BatchResult, Operation, OperationResult } from '../batches/operation.ts';
import { createWaitingRoom, type Waiting } from '../batches/waiting-room.ts';

/** A workspace's id, or the lane of everything that is about no single workspace. */
export type Lane = string;
export const sharedLane: Lane = '';

/** Nothing of the operation was kept: it has to be run in another lane. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
  readonly lane: Lane;
}

export type LaneResult =
  | Exclude<BatchResult, { kind: 'committed' }>
  | {
      readonly kind: 'committed';
      readonly results: readonly (OperationResult | Elsewhere)[];
      readonly changedWorkspaces: readonly string[];
    };

export interface BatchLanes {
  /** @throws WorkspaceError `overloaded` when too much is waiting, or the refusal of the operation. */
  submit(lane: Lane, operation: Operation): Promise<unknown>;
  /** Refuses new operations; resolves when all submitted ones are answered. */
  drain(): Promise<void>;
}

interface Line {
  readonly waiting: Waiting[];
  /** Whether its turn comes, or it has it: a lane has one batch at a time. */
  state: 'idle' | 'ready' | 'running';
}

/** With less time left an operation is not tried again: else a held row would be asked for at each one's last moment. */
const retryMsMin = 100;

/** How long an operation's caller waits, in however many batches. */
interface Deadline {
  readonly giveUpAt: number;
  lane: Lane;
  isOver: boolean;
}

/**
 * One batch at a time in each lane; what arrives meanwhile shares the next one. Lanes take turns for the `atOnceMax`
 * batches that may be under way.
 *
 * Each operation has `waitMs` from its arrival on, its time in the queue included: one that still waits is refused then, and
 * one whose batch was rolled back because others hold its rows is tried again until then.
 * @param run gives up at the time of the operation that has waited longest
 */
export function createBatchLanes(
  run: (lane: Lane, operations: readonly Operation[], giveUpAt: number) => Promise<LaneResult>,
  { atOnceMax, waitMs }: { readonly atOnceMax: number; readonly waitMs: number },
): BatchLanes {
  const room = createWaitingRoom();
  const lines = new Map<Lane, Line>();
  const deadlines = new Map<Waiting, Deadline>();
  /** Lanes that wait for their turn, each once. */
  const ready: Lane[] = [];
  let underWay = 0;
  let refusal: Error | null = null;
  let onIdle: (() => void) | null = null;

  const lineOf = (lane: Lane): Line => {
    const known = lines.get(lane);
    if (known !== undefined) return known;
    const line: Line = { waiting: [], state: 'idle' };
    lines.set(lane, line);
    return line;
  };
  const arrived = (lane: Lane, line: Line) => {
    if (line.state === 'idle') {
      line.state = 'ready';
      ready.push(lane);
    }
    startBatches();
  };
  const deadlineOf = (waiting: Waiting): Deadline => {
    const deadline = deadlines.get(waiting);
    if (deadline === undefined) throw new Error('an operation waits without a deadline');
    return deadline;
  };
  const expire = (waiting: Waiting) => {
    const deadline = deadlineOf(waiting);
    deadline.isOver = true;
    // One that is in a batch is told what becomes of that.
    if (room.remove(waiting, lineOf(deadline.lane).waiting)) waiting.reject(rolledBack('busy'));
  };
  const startBatches = () => {
    while (underWay < atOnceMax) {
      const lane = ready.shift();
      if (lane === undefined) break;
      underWay += 1;
      void runNext(lane, lineOf(lane));
    }
    if (underWay === 0) onIdle?.();
  };
  const runNext = async (lane: Lane, line: Line) => {
    line.state = 'running';
    const batch = room.takeBatch(line.waiting);
    try {
      // All that waited may have been refused meanwhile.
      if (batch.length > 0) {
        const operations = batch.map(({ operation }) => operation);
        const giveUpAt = Math.min(...batch.map((waiting) => deadlineOf(waiting).giveUpAt));
        answer(batch, await run(lane, operations, giveUpAt));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
    }
    line.state = 'idle';
    underWay -= 1;
    if (line.waiting.length > 0) arrived(lane, line);
    else lines.delete(lane);
    startBatches();
  };
  const answer = (batch: readonly Waiting[], result: LaneResult) => {
    const isHeldUp = result.kind === 'rolled_back' && result.reason === 'busy';
    for (const [index, waiting] of batch.entries()) {
      const deadline = deadlineOf(waiting);
      if (isHeldUp && !deadline.isOver && performance.now() + retryMsMin < deadline.giveUpAt) {
        room.readmit(waiting, lineOf(deadline.lane).waiting);
        continue;
      }
      const answered = answerAt(result, index);
      if (answered instanceof Error) {
        waiting.reject(answered);
      } else if ('outcome' in answered) {
        waiting.resolve(answered.outcome);
      } else {
        // Twice at most: from here to the workspace's lane or back, and workspaces do not go away.
        const line = lineOf(answered.lane);
        deadline.lane = answered.lane;
        room.readmit(waiting, line.waiting);
        arrived(answered.lane, line);
      }
    }
  };

  return {
    submit: (lane, operation) =>
      new Promise((resolve, reject) => {
        if (refusal !== null) throw refusal;
        const settled = () => {
          clearTimeout(timer);
          deadlines.delete(admitted);
        };
        const admitted = room.admit(operation, {
          resolve(outcome) {
            settled();
            resolve(outcome);
          },
          reject(error) {
            settled();
            reject(error);
          },
        });
        deadlines.set(admitted, { giveUpAt: performance.now() + waitMs, lane, isOver: false });
        const timer = setTimeout(() => expire(admitted), waitMs);
        const line = lineOf(lane);
        line.waiting.push(admitted);
        arrived(lane, line);
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

function answerAt(result: LaneResult, index: number): Elsewhere | ReturnType<typeof answerOf> {
  if (result.kind !== 'committed') return answerOf(result, index);
  const one = result.results[index];
  if (one?.kind === 'elsewhere') return one;
  return answerOf({ ...result, results: one === undefined ? [] : [one] }, 0);
}
