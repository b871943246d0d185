import { changePaths, emptyPathIndex, type PathIndex, pathChangesMax, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { Ticks } from './ticks.ts';

/** The paths of a workspace at `seq`. */
export interface SeqIndex {
  readonly seq: number;
  readonly index: PathIndex;
}

/** With more changes than this, reading all paths again is as fast as following the changes. */
const changesMax = 20_000;
/** One page takes a few milliseconds. */
const pageRows = 512;

/** Reads all paths. `reader` must be one snapshot. */
export async function readPathIndex(
  reader: Pick<Reader, 'files'>,
  ticks: Ticks,
  workspace: Pick<WorkspaceRow, 'id' | 'seq'>,
): Promise<SeqIndex> {
  let index = emptyPathIndex;
  let afterPath: WorkspacePath | null = null;
  for (;;) {
    await ticks.next();
    const page: readonly WorkspacePath[] = await reader.files.pathsPage({
      workspaceId: workspace.id,
      afterPath,
      limit: pageRows,
    });
    for (let i = 0; i < page.length; i += pathChangesMax) {
      const paths = page.slice(i, i + pathChangesMax);
      index = changePaths(
        index,
        paths.map((path) => ({ path, exists: true })),
      );
    }
    if (page.length < pageRows) return { seq: workspace.seq, index };
    afterPath = page.at(-1) ?? null;
  }
}

/**
 * Follows the feed from `known` to the snapshot behind `reader`. Only the presence of a file at a changed path matters,
 * so a path that changed several times gets its last state immediately.
 *
 * @returns null when reading all paths is cheaper, or when the database was restored to an earlier state.
 */
export async function followPathChanges(
  reader: Pick<Reader, 'files'>,
  ticks: Ticks,
  workspace: Pick<WorkspaceRow, 'id' | 'seq'>,
  known: SeqIndex,
): Promise<SeqIndex | null> {
  const behind = workspace.seq - known.seq;
  if (behind < 0 || behind > changesMax) return null;
  let { index, seq } = known;
  while (seq < workspace.seq) {
    const changes = await reader.files.pathsChangedSince({
      workspaceId: workspace.id,
      sinceSeq: seq,
      limit: pathChangesMax,
    });
    index = changePaths(index, changes);
    if (changes.length < pathChangesMax) break;
    seq = changes.at(-1)?.seq ?? workspace.seq;
    await ticks.next();
  }
  return { seq: workspace.seq, index };
}
