// docs/decisions/0026-postgresql-by-lanes.md
import { WorkspaceError } from '@stoa/core';
import { answerOf } from '../batches/answer-of.ts';
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
  /** @throws WorkspaceError `overloaded` when too much is waiting, or what the operation is refused with. */
  submit(lane: Lane, operation: Operation): Promise<unknown>;
  /** Refuses what comes; resolves when all that was submitted is answered. */
  drain(): Promise<void>;
}

interface Line {
  readonly waiting: Waiting[];
  isRunning: boolean;
}

/**
 * One batch at a time in each lane; what arrives meanwhile shares the next one. Lanes take turns for the `atOnceMax`
 * batches that may be under way.
 */
export function createBatchLanes(
  run: (lane: Lane, operations: readonly Operation[]) => Promise<LaneResult>,
  atOnceMax: number,
): BatchLanes {
  const room = createWaitingRoom();
  const lines = new Map<Lane, Line>();
  /** Lanes that wait for their turn, each once. */
  const ready: Lane[] = [];
  let underWay = 0;
  let refusal: Error | null = null;
  let onIdle: (() => void) | null = null;

  const lineOf = (lane: Lane): Line => {
    const known = lines.get(lane);
    if (known !== undefined) return known;
    const line: Line = { waiting: [], isRunning: false };
    lines.set(lane, line);
    return line;
  };
  const arrived = (lane: Lane, line: Line) => {
    if (!line.isRunning && line.waiting.length === 1) ready.push(lane);
    startBatches();
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
    line.isRunning = true;
    const batch = room.takeBatch(line.waiting);
    try {
      const operations = batch.map(({ operation }) => operation);
      answer(batch, await run(lane, operations));
    } catch (error) {
      for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
    }
    line.isRunning = false;
    underWay -= 1;
    if (line.waiting.length > 0) ready.push(lane);
    else lines.delete(lane);
    startBatches();
  };
  const answer = (batch: readonly Waiting[], result: LaneResult) => {
    for (const [index, waiting] of batch.entries()) {
      const answered = answerAt(result, index);
      if (answered instanceof Error) {
        waiting.reject(answered);
      } else if ('outcome' in answered) {
        waiting.resolve(answered.outcome);
      } else {
        // Twice at most: from here to the workspace's lane or back, and workspaces do not go away.
        const line = lineOf(answered.lane);
        room.readmit(waiting, line.waiting);
        arrived(answered.lane, line);
      }
    }
  };

  return {
    submit: (lane, operation) =>
      new Promise((resolve, reject) => {
        if (refusal !== null) throw refusal;
        const admitted = room.admit(operation, { resolve, reject });
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
