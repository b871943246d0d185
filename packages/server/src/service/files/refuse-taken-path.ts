import { foldersAbove, isVisibleTo, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import type { WorkspaceRow } from '../ports/rows.ts';
import { findOwner } from '../privacy/find-owner.ts';

/**
 * Refuses a new file whose path is a folder already, or goes through a file: no client could mirror `a` and `a/b` to
 * a disk. What stands in the way but is hidden from the caller is not named.
 * @throws WorkspaceError `path_taken`, or `file_not_found` when the obstacle is another member's.
 */
export async function refuseTakenPath(
  reader: Pick<Reader, 'files' | 'nodes'>,
  workspace: WorkspaceRow,
  path: WorkspacePath,
  viewerId: string,
): Promise<void> {
  const folders = foldersAbove(path);
  const parent = folders.at(-1);
  // Where something lies already, every name on the way to it is a folder: one look-up instead of one for each.
  const isNewFolder = parent !== undefined && !(await reader.files.hasBelow(workspace.id, parent));
  for (const folder of isNewFolder ? folders : []) {
    if ((await reader.files.find(workspace.id, folder)) === null) continue;
    const ownerId = await findOwner(reader, workspace, folder);
    if (!isVisibleTo(ownerId, viewerId)) throw new WorkspaceError('file_not_found');
    throw new WorkspaceError('path_taken', {}, `"${folder}" is a file, so nothing can be put below it`);
  }
  if (await reader.files.hasBelow(workspace.id, path)) {
    if (!(await reader.files.hasVisibleAtOrBelow(workspace.id, path, viewerId))) {
      throw new WorkspaceError('file_not_found');
    }
    throw new WorkspaceError('path_taken', {}, `"${path}" is a folder, so no file can be put at that path`);
  }
}
