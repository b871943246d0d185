import type { LeftOut, SyncPlan, WorkspacePath } from '@stoa/core';
import type { Engine } from './engine.ts';
import type { FolderScan } from './observe/folder-view.ts';
import type { LeftOutRow } from './ports/state-rows.ts';
import type { StateChange } from './ports/state-store.ts';

/** What waited for another pass, or for a time that has come, is tried again. */
export function dropPassed({ waiting, pace }: Engine): void {
  const now = pace.now();
  for (const [path, { dueAt }] of waiting) if (dueAt === null || dueAt <= now) waiting.delete(path);
}

/** What is left out by the last plan of a pass, and what waits, in place of what was left out before. */
export async function rememberLeftOut(
  { memory, pace, waiting, onEvent }: Engine,
  plan: SyncPlan,
  scan: FolderScan,
): Promise<readonly LeftOut[]> {
  const all = new Map<string, LeftOut>();
  for (const each of [...scan.leftOut, ...plan.leftOut]) all.set(each.path, each);
  for (const [path, { reason, detail }] of waiting) all.set(path, { path, reason, detail });
  const known = memory.state.leftOut;
  const changes: StateChange[] = [];
  for (const path of known.keys()) if (!all.has(path)) changes.push({ table: 'left_out', path, row: null });
  for (const [path, { reason, detail }] of all) {
    const old = known.get(path);
    const retryAt = waiting.get(path as WorkspacePath)?.retryAt ?? null;
    if (old?.reason === reason && old.detail === detail && old.retryAt === retryAt) continue;
    const row: LeftOutRow = { path, reason, detail, since: old?.since ?? pace.wallNow(), retryAt };
    if (old?.reason !== reason) onEvent({ event: 'left_out', path, reason });
    changes.push({ table: 'left_out', path, row });
  }
  await memory.commit(changes, 'grouped');
  return [...all.values()];
}
