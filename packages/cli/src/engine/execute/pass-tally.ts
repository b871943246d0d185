import { type LeftOutReason, stormPauseMs, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { DiskRefusal } from '../ports/local-folder.ts';

/** What one pass did. */
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

/** `again`: it was not as planned; nothing was done, and the next plan sees how it is. */
export type Done = 'done' | 'again';

const retryMinutes: Partial<Record<LeftOutReason, number>> = {
  bytes_missing: 5,
  transfer_failed: 1,
  in_use: 0.1,
  disk_full: 1,
  storm: stormPauseMs / 60_000,
};

/** Leaves a path out for this pass, or until it is worth another try. */
export function leaveOut(
  { waiting, pace, onEvent }: Engine,
  path: WorkspacePath,
  reason: LeftOutReason,
  detail: string | null,
): Done {
  const minutes = retryMinutes[reason];
  const retryAt = minutes === undefined ? null : pace.wallNow() + minutes * 60_000;
  waiting.set(path, { reason, detail, retryAt });
  onEvent({ event: 'left_out', path, reason });
  return 'again';
}

export function leaveOutRefused(engine: Engine, path: WorkspacePath, refusal: DiskRefusal): Done {
  if (refusal.kind === 'blocked') return leaveOut(engine, path, 'blocked', `${refusal.by} at ${refusal.at}`);
  return leaveOut(engine, path, refusal.reason, refusal.detail);
}
