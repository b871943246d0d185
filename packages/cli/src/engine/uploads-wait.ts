// docs/sync.md
import { type UploadsWait, uploadsWaitPausesMs } from '@stoa/core';
import type { Engine } from './engine.ts';
import type { WorkspaceFacts } from './ports/remote-workspace.ts';
import { withRetryBudget } from './with-retry-budget.ts';

/** Stops sending new content until the workspace accepts it again. */
export function waitWithUploads(engine: Engine, reason: UploadsWait): void {
  // Of several concurrent uploads the first one counts.
  if (engine.uploadsWait?.reason === reason) return;
  engine.uploadsWait = { reason, asked: 0, dueAt: engine.pace.now() + pauseMs(reason, 0) };
}

/** Called after a file of the workspace was deleted or became smaller, because there may be room now. */
export function recordRoom({ uploadsWait, pace }: Engine): void {
  if (uploadsWait !== null && uploadsWait.reason !== 'read_only') uploadsWait.dueAt = pace.now();
}

/**
 * Checks whether waiting files may be sent, if that is due. A rejected upload would also show it, but only after all of
 * its bytes.
 * @param isAsked requested by the user, so check at once
 */
export async function lookAtUploadsWait(engine: Engine, isAsked: boolean): Promise<void> {
  const { uploadsWait: waits, pace, remote, signal } = engine;
  if (waits === null || (!isAsked && pace.now() < waits.dueAt)) return;
  engine.facts = await withRetryBudget(engine, () => remote.readFacts(signal));
  const reason = uploadsWaitOf(engine.facts);
  const asked = reason === waits.reason ? waits.asked + 1 : 0;
  engine.uploadsWait = reason === null ? null : { reason, asked, dueAt: pace.now() + pauseMs(reason, asked) };
  for (const [path, each] of engine.waiting) if (each.reason === waits.reason) engine.waiting.delete(path);
}

export function uploadsWaitOf({
  isReadOnly,
  usedBytes,
  limitBytes,
  usedFiles,
  limitFiles,
}: WorkspaceFacts): UploadsWait | null {
  if (isReadOnly) return 'read_only';
  if (limitBytes !== null && usedBytes >= limitBytes) return 'quota';
  return limitFiles !== null && usedFiles >= limitFiles ? 'file_count' : null;
}

function pauseMs(reason: UploadsWait, asked: number): number {
  const pauses = uploadsWaitPausesMs[reason];
  return pauses[Math.min(asked, pauses.length - 1)] ?? 0;
}
