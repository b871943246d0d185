import type { SkippedPath, SyncPlan, WorkspacePath } from '@stoa/core';
import type { Engine } from './engine.ts';
import type { FolderScan } from './observe/folder-view.ts';
import type { SkippedRow } from './ports/state-rows.ts';
import type { StateChange } from './ports/state-store.ts';

/** Ends the wait of paths whose time has come, or that waited for another pass. */
export function dropPassed({ waiting, pace }: Engine): void {
  const now = pace.now();
  for (const [path, { dueAt }] of waiting) if (dueAt === null || dueAt <= now) waiting.delete(path);
}

/** Replaces the skipped paths by those of the last scan and plan and by the waiting paths. */
export async function rememberSkipped(
  { memory, newlyIgnored, movedToIgnored, pace, settling, waiting, onEvent }: Engine,
  plan: SyncPlan,
  scan: FolderScan,
): Promise<readonly SkippedPath[]> {
  const all = new Map<string, SkippedPath>();
  for (const each of [...scan.skipped, ...plan.skipped]) all.set(each.path, each);
  for (const [path, { reason, detail }] of waiting) all.set(path, { path, reason, detail });
  for (const path of [...newlyIgnored, ...movedToIgnored])
    all.set(path, { path, reason: 'newly_ignored', detail: null });
  const changing = settling.keepChanging(pace.now());
  for (const path of changing.keys()) all.set(path, { path, reason: 'changing', detail: null });
  const known = memory.state.skipped;
  const changes: StateChange[] = [];
  /** Times of changing files that were reported under another name. */
  const reported = new Set<number | null>();
  for (const [path, row] of known) {
    if (all.has(path)) continue;
    changes.push({ table: 'left_out', path, row: null });
    if (row.reason === 'changing') reported.add(row.retryAt);
  }
  for (const [path, { reason, detail }] of all) {
    const old = known.get(path);
    const dueAt = changing.get(path) ?? null;
    const retryAt =
      dueAt === null ? (waiting.get(path as WorkspacePath)?.retryAt ?? null) : wallTimeOf(pace, dueAt);
    if (old?.reason === reason && old.detail === detail && old.retryAt === retryAt) continue;
    const row: SkippedRow = { path, reason, detail, since: old?.since ?? pace.wallNow(), retryAt };
    const hasMoved = reason === 'changing' && reported.has(retryAt);
    if (old?.reason !== reason && !hasMoved) onEvent({ event: 'left_out', path, reason, retryAt });
    changes.push({ table: 'left_out', path, row });
  }
  await memory.commit(changes, 'grouped');
  return [...all.values()];
}

/** Rounded to the second, so that it does not change with every pass. */
function wallTimeOf(pace: Engine['pace'], at: number): number {
  return Math.round((pace.wallNow() + at - pace.now()) / 1000) * 1000;
}
