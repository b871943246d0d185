import { type ContentHash, parseConflictedCopyPath, type Upload, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { withRetryBudget } from '../with-retry-budget.ts';
import { removeHere } from './change-here.ts';
import type { Done, PassTally } from './pass-tally.ts';

/** Limit of copies of one path whose content is requested. */
const copiesAskedMax = 20;

/**
 * Finds a conflicted copy of the path that already has these bytes, left by an upload that lost or an interrupted
 * conflict. The server only knows its newest copy of a path and would make another one.
 * @returns `not_found`: a copy that may have the bytes is not where the feed has it. Another user moved or deleted it
 * since. The path is not planned until the feed is read again. If the feed does not report that, the next call ignores
 * the copy.
 */
export async function findKeptCopy(
  engine: Engine,
  path: WorkspacePath,
  hash: ContentHash,
): Promise<WorkspacePath | 'not_found' | null> {
  const { base, remote } = engine.memory.state;
  let asked = 0;
  let isOneMissing = false;
  for (const [copyPath, isReported] of copiesOf(engine, path)) {
    const there = remote.get(copyPath);
    if (there !== undefined && there.kind !== 'file') continue;
    const known = there === undefined ? base.get(copyPath)?.hash : there.hash;
    if (known === hash) return copyPath;
    if (!isReported || known !== null || asked === copiesAskedMax) continue;
    asked += 1;
    const head = await withRetryBudget(engine, () => engine.remote.head(copyPath, engine.transfers));
    if (head.kind === 'file' && head.hash === hash) return copyPath;
    if (head.kind === 'file' || engine.missed.has(copyPath)) continue;
    engine.missed.add(copyPath);
    isOneMissing = true;
  }
  if (!isOneMissing) return null;
  engine.awaitingEcho.add(path);
  return 'not_found';
}

/**
 * Copies by path, with whether the feed reported them as copies. Others are known by name only, in two cases. If a file
 * was moved after its copy was made, the copy belongs to the new path. If a rename met a taken name, the feed reports
 * no conflict.
 */
function copiesOf({ memory }: Engine, path: WorkspacePath): ReadonlyMap<WorkspacePath, boolean> {
  const { base, conflicts, remote } = memory.state;
  const copies = new Map<WorkspacePath, boolean>();
  for (const { copyPath, ofPath } of conflicts.values()) if (ofPath === path) copies.set(copyPath, true);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const paths of [base.keys(), remote.keys()]) {
    for (const each of paths) {
      const mayBe = each.startsWith(folder) && !copies.has(each);
      if (mayBe && parseConflictedCopyPath(each)?.original === path) copies.set(each, false);
    }
  }
  return copies;
}

/**
 * Two users rename one file to the same name, which a third file has taken. Each gets a conflicted copy. If the server
 * has stored the other user's copy with exactly these bytes, this one would be a duplicate, so it is removed.
 * @returns null if the file must be sent
 */
export async function giveUpTwin(
  engine: Engine,
  { path, local, remote }: Upload,
  tally: PassTally,
): Promise<Done | null> {
  const of = remote.kind === 'absent' ? engine.memory.state.conflicts.get(path)?.ofPath : undefined;
  if (of === undefined) return null;
  const kept = await findKeptCopy(engine, of, local.hash);
  if (kept === 'not_found') return 'again';
  if (kept === null || kept === path) return null;
  const removed = await removeHere(engine, { path, local }, tally, 'replaced');
  if (removed !== 'done') return removed;
  const reported = tally.conflicts.findIndex(({ copy }) => copy === path);
  if (reported !== -1) tally.conflicts[reported] = { path: of, copy: kept };
  return removed;
}
