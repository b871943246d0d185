import { parseConflictedCopyPath, type WorkspacePath } from '@stoa/core';
import type { Engine } from './engine.ts';
import type { FolderScan } from './observe/folder-view.ts';
import type { ConflictRow } from './ports/state-rows.ts';
import type { StateChange } from './ports/state-store.ts';

/**
 * Renames the rows of conflicted copies after a move. A row has the path of the copy and the path of its original. Both
 * follow their files.
 */
export function movedConflicts(
  conflicts: Iterable<ConflictRow>,
  from: WorkspacePath,
  to: WorkspacePath,
): StateChange[] {
  const moved = (path: WorkspacePath): WorkspacePath => (path === from ? to : path);
  return [...conflicts].flatMap((row): StateChange[] => {
    if (row.copyPath !== from && row.ofPath !== from) return [];
    const copyPath = moved(row.copyPath);
    const next: StateChange = {
      table: 'conflict',
      copyPath,
      row: { ...row, copyPath, ofPath: moved(row.ofPath) },
    };
    return copyPath === row.copyPath
      ? [next]
      : [{ table: 'conflict', copyPath: row.copyPath, row: null }, next];
  });
}

/** Row of a copy that was named here by a rename. */
export function renamedCopy(copyPath: WorkspacePath, ofPath: WorkspacePath): StateChange {
  return { table: 'conflict', copyPath, row: { copyPath, ofPath } };
}

/** Rows of the copies in a list. Without a known row, the original is read from the name of the copy. */
export function listedCopies(
  conflicts: ReadonlyMap<WorkspacePath, ConflictRow>,
  paths: Iterable<WorkspacePath>,
): StateChange[] {
  return [...paths].flatMap((copyPath): StateChange[] => {
    const name = parseConflictedCopyPath(copyPath);
    const named = name === null ? null : { copyPath, ofPath: name.original };
    const row = conflicts.get(copyPath) ?? named;
    return row === null ? [] : [{ table: 'conflict', copyPath, row }];
  });
}

/**
 * Removes rows of copies that neither side has, such as a copy deleted before its upload. Only valid after a pass that
 * found both sides equal.
 */
export function goneCopies({ memory }: Engine, { files, obstacles, isHealthy }: FolderScan): StateChange[] {
  const { base, conflicts, remote } = memory.state;
  if (!isHealthy) return [];
  return [...conflicts.keys()].flatMap((copyPath): StateChange[] => {
    const isThere =
      base.has(copyPath) || remote.has(copyPath) || files.has(copyPath) || obstacles.has(copyPath);
    return isThere ? [] : [{ table: 'conflict', copyPath, row: null }];
  });
}
