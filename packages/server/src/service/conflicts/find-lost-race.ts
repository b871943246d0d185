import { parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import type { ConflictBase, FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';

/** The file that a conflicted copy was made beside, and what the copy's writer had read of it. */
export interface LostRace {
  readonly path: WorkspacePath;
  readonly base: ConflictBase | null;
}

/** A copy that moved more often than this has a history that nobody waits for. */
const movesMax = 100;

/**
 * Which race a file lost, or null for a file that is no conflicted copy, or was given another name since. A copy that was
 * moved belongs to the file of the old name in its new folder: folders move with both.
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
  const isBeside = folderOf(madeAt) === folderOf(conflictOf);
  const path = isBeside ? parseWorkspacePath(folderOf(copy.path) + nameOf(conflictOf)) : conflictOf;
  return { path, base };
}

/** With the slash; empty for the top. */
function folderOf(path: WorkspacePath): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function nameOf(path: WorkspacePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
