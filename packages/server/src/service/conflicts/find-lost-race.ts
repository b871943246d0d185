import { parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import type { ConflictBase, FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';

/** The file that a conflicted copy belongs to, and the version that the copy's writer had read. */
export interface LostRace {
  readonly path: WorkspacePath;
  readonly base: ConflictBase | null;
}

/** A limit for the lookup: copies with more moves are not followed further. */
const movesMax = 100;

/**
 * Finds the file of a conflicted copy; null for a file that is not a copy or was renamed since. A copy that was moved
 * belongs to the file of the old name in its new folder: folders move with both.
 */
export async function findLostRace(reader: Pick<Reader, 'files'>, copy: FileRow): Promise<LostRace | null> {
  const { workspaceId } = copy;
  let beginning = await reader.files.beginningOf(workspaceId, copy.incarnation);
  for (let moves = 0; beginning !== null && beginning.movedFrom !== null && moves < movesMax; moves += 1) {
    beginning = await reader.files.beginningOf(workspaceId, beginning.movedFrom.incarnation);
  }
  if (beginning === null || beginning.conflictOf === null) return null;
  const { path: madeAt, conflictOf, conflictBase: base } = beginning;
  if (nameOf(madeAt) !== nameOf(copy.path)) return null;
  const isSibling = folderOf(madeAt) === folderOf(conflictOf);
  const path = isSibling ? parseWorkspacePath(folderOf(copy.path) + nameOf(conflictOf)) : conflictOf;
  return { path, base };
}

/** With the slash; empty for the top. */
function folderOf(path: WorkspacePath): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function nameOf(path: WorkspacePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
