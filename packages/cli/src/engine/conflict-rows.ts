import { parseConflictedCopyPath, type WorkspacePath } from '@stoa/core';
import type { Engine } from './engine.ts';
import type { FolderScan } from './observe/folder-view.ts';
import type { ConflictRow } from './ports/state-rows.ts';
import type { StateChange } from './ports/state-store.ts';

/** Conflicted copies are known by their paths and that of the file whose writer lost: both go where their file goes. */
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

/** A copy that got its name here, by a rename: it shares no version with the file that has the path. */
export function renamedCopy(copyPath: WorkspacePath, ofPath: WorkspacePath): StateChange {
  return { table: 'conflict', copyPath, row: { copyPath, ofPath, base: null } };
}

/** Copies that a list has: what is not known of them any more is read from their names. */
export function listedCopies(
  conflicts: ReadonlyMap<WorkspacePath, ConflictRow>,
  paths: Iterable<WorkspacePath>,
): StateChange[] {
  return [...paths].flatMap((copyPath): StateChange[] => {
    const name = parseConflictedCopyPath(copyPath);
    const named = name === null ? null : { copyPath, ofPath: name.original, base: null };
    const row = conflicts.get(copyPath) ?? named;
    return row === null ? [] : [{ table: 'conflict', copyPath, row }];
  });
}

/** Of a pass that found both sides alike: copies that no side has, such as one that was deleted before it was sent. */
export function goneCopies({ memory }: Engine, { files, obstacles, isHealthy }: FolderScan): StateChange[] {
  const { base, conflicts, remote } = memory.state;
  if (!isHealthy) return [];
  return [...conflicts.keys()].flatMap((copyPath): StateChange[] => {
    const isThere =
      base.has(copyPath) || remote.has(copyPath) || files.has(copyPath) || obstacles.has(copyPath);
    return isThere ? [] : [{ table: 'conflict', copyPath, row: null }];
  });
}
