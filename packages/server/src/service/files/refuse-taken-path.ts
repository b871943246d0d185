import { foldersAbove, type Viewer, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { together } from '../changes/together.ts';
import type { Reader } from '../ports/reader.ts';
import { isHidden } from '../privacy/find-owner.ts';

/**
 * Refuses a new file whose path is a folder already, or goes through a file: no client could mirror `a` and `a/b` to
 * a disk. An obstacle that is hidden from the caller is not named.
 * @throws WorkspaceError `path_taken`, or `file_not_found` when the obstacle is another member's.
 */
export async function refuseTakenPath(
  reader: Pick<Reader, 'files' | 'nodes'>,
  workspaceId: string,
  path: WorkspacePath,
  viewer: Viewer,
): Promise<void> {
  const folders = foldersAbove(path);
  const parent = folders.at(-1);
  const hasBelow = (folder: WorkspacePath) => reader.files.hasBelow(workspaceId, folder);
  const [isFolder, isParentFolder] = await together(
    hasBelow(path),
    parent === undefined ? Promise.resolve(true) : hasBelow(parent),
  );
  // Where something lies already, every name on the way to it is a folder: one look-up instead of one for each.
  for (const folder of isParentFolder ? [] : folders) {
    if ((await reader.files.find(workspaceId, folder)) === null) continue;
    if (await isHidden(reader, workspaceId, folder, viewer)) throw new WorkspaceError('file_not_found');
    throw new WorkspaceError('path_taken', {}, `"${folder}" is a file, so nothing can be put below it`);
  }
  if (isFolder) {
    if (!(await reader.files.hasVisibleAtOrBelow(workspaceId, path, viewer))) {
      throw new WorkspaceError('file_not_found');
    }
    throw new WorkspaceError('path_taken', {}, `"${path}" is a folder, so no file can be put at that path`);
  }
}
