import { retryPausesMs, type SkipReason, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { DiskRejection } from '../ports/local-folder.ts';

/** Counts of one pass. */
export interface PassTally {
  up: number;
  down: number;
  moved: number;
  deletedHere: number;
  deletedThere: number;
  rescued: number;
  readonly conflicts: { readonly path: WorkspacePath; readonly copy: WorkspacePath }[];
  bytesUp: number;
  bytesDown: number;
}

export function emptyTally(): PassTally {
  const counts = { up: 0, down: 0, moved: 0, deletedHere: 0, deletedThere: 0, rescued: 0 };
  return { ...counts, conflicts: [], bytesUp: 0, bytesDown: 0 };
}

/** `again`: the state was not as planned. Nothing was done, and the next plan reads the current state. */
export type Done = 'done' | 'again';

/** Skips a path for this pass or until its next try. The delay grows with the number of consecutive failures. */
export function leaveOut(
  { failedTries, waiting, pace }: Engine,
  path: WorkspacePath,
  reason: SkipReason,
  detail: string | null,
): Done {
  const pauses = retryPausesMs[reason];
  const before = failedTries.get(path);
  const tries = before?.reason === reason ? before.tries + 1 : 1;
  if (pauses !== undefined) failedTries.set(path, { reason, tries });
  const pauseMs = pauses?.[Math.min(tries, pauses.length) - 1];
  const after = (now: number): number | null => (pauseMs === undefined ? null : now + pauseMs);
  waiting.set(path, { reason, detail, dueAt: after(pace.now()), retryAt: after(pace.wallNow()) });
  return 'again';
}

export function skipRejected(engine: Engine, path: WorkspacePath, error: DiskRejection): Done {
  if (error.kind === 'blocked') return leaveOut(engine, path, 'blocked', `${error.by} at ${error.at}`);
  return leaveOut(engine, path, error.reason, error.detail);
}
