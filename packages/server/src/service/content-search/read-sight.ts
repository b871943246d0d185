import { isVisibleTo, nearestOwner, type Viewer, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import { readPrivacyOwners } from '../search/read-privacy-owners.ts';
import type { Turns } from '../search/turns.ts';

/** Whether the viewer sees a file of a snapshot. Cheapest when the paths come in their order. */
export type Sight = (path: WorkspacePath) => boolean;

/**
 * Reads all privacy records of a snapshot at once: for a look at every file that is a small part of asking the database about
 * each.
 */
export async function readSight(
  reader: Reader,
  turns: Turns,
  { workspaceId, viewer }: { readonly workspaceId: string; readonly viewer: Viewer },
): Promise<Sight> {
  const workspace = await reader.workspaces.find(workspaceId);
  if (workspace === null) return () => false;
  const owners = await readPrivacyOwners(reader, turns, workspace);
  let folder = '';
  let folderOwner: string | null = null;
  return (path) => {
    if (owners.size === 0) return isVisibleTo(path, null, viewer);
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent !== folder) {
      folder = parent;
      folderOwner = ownerOfFolder(owners, parent);
    }
    return isVisibleTo(path, nearestOwner(owners, path, folderOwner), viewer);
  };
}

/** Going down from the workspace. */
function ownerOfFolder(owners: ReadonlyMap<WorkspacePath, string>, folder: string): string | null {
  let owner: string | null = null;
  for (let end = 0; end < folder.length; ) {
    const slash = folder.indexOf('/', end + 1);
    end = slash === -1 ? folder.length : slash;
    // Part of a path up to a slash is a path.
    owner = nearestOwner(owners, folder.slice(0, end) as WorkspacePath, owner);
  }
  return owner;
}
