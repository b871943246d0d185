import { type BaseFile, isWithin, type RemoteState, rebasePath, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { differsFromBase } from '../observe/read-feed.ts';
import type { PlacedFile } from '../ports/local-folder.ts';
import type { StateChange } from '../ports/state-store.ts';

/**
 * A new row of the base, and the matching change of the remote row. A remote row that equals the base is removed.
 * @param remote the state on the server, if it was just read; without it, the known state is used
 */
export function baseChanges(
  { memory }: Engine,
  path: WorkspacePath,
  row: BaseFile | null,
  remote: RemoteState | null = null,
): StateChange[] {
  const known = remote ?? memory.state.remote.get(path) ?? null;
  const isDifferent =
    known !== null && differsFromBase(known, row) && (row !== null || known.kind === 'file');
  return [
    { table: 'base', path, row },
    { table: 'remote', path, row: isDifferent ? known : null },
  ];
}

/** Moves the distrust after a power failure to the new path of a file. */
export function keepDoubt({ untrusted }: Engine, from: WorkspacePath, to: WorkspacePath): void {
  if (untrusted.delete(from)) untrusted.add(to);
}

/** Changes after both sides became equal. */
export function inSyncChanges(path: WorkspacePath, row: BaseFile | null): StateChange[] {
  return [
    { table: 'base', path, row },
    { table: 'remote', path, row: null },
  ];
}

export function folderChanges(made: PlacedFile['madeFolders']): StateChange[] {
  // The disk spells a created folder as requested, so its path is that of the workspace.
  return made.map(({ path, object }) => ({ table: 'folder', path: path as WorkspacePath, row: { object } }));
}

/** Moves the rows of a folder. Folders that still contain files also keep their old row. */
export function movedFolderChanges(
  { memory }: Engine,
  from: WorkspacePath,
  to: WorkspacePath,
): StateChange[] {
  const { base, folders } = memory.state;
  const pending = [...base.keys()].filter((path) => isWithin(path, from));
  return [...folders].flatMap(([path, row]): StateChange[] => {
    if (!isWithin(path, from)) return [];
    const isPending = pending.some((each) => isWithin(each, path));
    const moved: StateChange = { table: 'folder', path: rebasePath(path, from, to), row };
    return isPending ? [moved] : [moved, { table: 'folder', path, row: null }];
  });
}
