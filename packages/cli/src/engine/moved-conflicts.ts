import type { WorkspacePath } from '@stoa/core';
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
