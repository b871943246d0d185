import { type BaseFile, isWithin, type RemoteState, rebasePath, type WorkspacePath } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { differsFromBase } from '../observe/read-feed.ts';
import type { PlacedFile } from '../ports/local-folder.ts';
import type { StateChange } from '../ports/state-store.ts';

/**
 * A new row of the base, and what that makes of the remote row: one that equals the base is none.
 *
 * @param remote what the server has there, where that was learnt just now; without it, what was known stays.
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

/** A file that is in doubt after a loss of power stays so where its row goes. */
export function carryDoubt({ suspects }: Engine, from: WorkspacePath, to: WorkspacePath): void {
  if (suspects.delete(from)) suspects.add(to);
}

/** After a change of both sides: nothing differs. */
export function inSyncChanges(path: WorkspacePath, row: BaseFile | null): StateChange[] {
  return [
    { table: 'base', path, row },
    { table: 'remote', path, row: null },
  ];
}

export function folderChanges(made: PlacedFile['madeFolders']): StateChange[] {
  // The disk spells what it was asked to make as the workspace does.
  return made.map(({ path, object }) => ({ table: 'folder', path: path as WorkspacePath, row: { object } }));
}

/** The rows of a folder that was moved, but for those that still hold files. */
export function movedFolderChanges(
  { memory }: Engine,
  from: WorkspacePath,
  to: WorkspacePath,
): StateChange[] {
  const { base, folders } = memory.state;
  const held = [...base.keys()].filter((path) => isWithin(path, from));
  return [...folders].flatMap(([path, row]): StateChange[] => {
    if (!isWithin(path, from)) return [];
    const isHeld = held.some((each) => isWithin(each, path));
    const moved: StateChange = { table: 'folder', path: rebasePath(path, from, to), row };
    return isHeld ? [moved] : [moved, { table: 'folder', path, row: null }];
  });
}
