import { type ContentHash, parseConflictedCopyPath, type Upload, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { withPatience } from '../with-patience.ts';
import { removeHere } from './change-here.ts';
import type { Done, PassTally } from './pass-tally.ts';

/** Copies of one path that are asked for their content. */
const copiesAskedMax = 20;

/**
 * A conflicted copy of the path that already has these bytes: an upload that lost, or a conflict that was cut off, left
 * it there. The server itself only knows its newest copy of a path, and would make another.
 *
 * @returns `not_found`: a copy that may have them is not where the feed said it is. Somebody moved or deleted it since, which
 *   the feed tells once it is read again: until then the path is not planned. Where it does not tell of it, the copy is none
 *   when it is asked for the next time.
 */
export async function findKeptCopy(
  engine: Engine,
  path: WorkspacePath,
  hash: ContentHash,
): Promise<WorkspacePath | 'not_found' | null> {
  const { base, remote } = engine.memory.state;
  let asked = 0;
  let isOneMissing = false;
  for (const [copyPath, isTold] of copiesOf(engine, path)) {
    const there = remote.get(copyPath);
    if (there !== undefined && there.kind !== 'file') continue;
    const known = there === undefined ? base.get(copyPath)?.hash : there.hash;
    if (known === hash) return copyPath;
    if (!isTold || known !== null || asked === copiesAskedMax) continue;
    asked += 1;
    const head = await withPatience(engine, () => engine.remote.head(copyPath, engine.transfers));
    if (head.kind === 'file' && head.hash === hash) return copyPath;
    if (head.kind === 'file' || engine.missed.has(copyPath)) continue;
    engine.missed.add(copyPath);
    isOneMissing = true;
  }
  if (!isOneMissing) return null;
  engine.fenced.add(path);
  return 'not_found';
}

/**
 * By path, whether the feed told of it as one. Others have the name alone: where a file was moved on since its copy was made,
 * the copy is of the new path, and a rename whose place was taken is no conflict for the feed.
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
 * Two people rename one file to the same name, and a third took it before: each is to get a conflicted copy. Where the
 * other one's was kept by the server meanwhile, with these very bytes, ours would be a second one.
 *
 * @returns null where the file is to be sent.
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
  const told = tally.conflicts.findIndex(({ copy }) => copy === path);
  if (told !== -1) tally.conflicts[told] = { path: of, copy: kept };
  return removed;
}
