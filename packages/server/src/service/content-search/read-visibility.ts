import { isVisibleTo, nearestOwner, type PathPrefix, type Viewer, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import { findOwner } from '../privacy/find-owner.ts';
import { readPrivacyOwners } from '../search/read-privacy-owners.ts';
import type { Ticks } from '../search/ticks.ts';

/** Whether the viewer may see a file of a snapshot. Fastest when called in path order. */
export type Visibility = (path: WorkspacePath) => boolean;

/**
 * Reads all privacy records of a snapshot at once, which is much cheaper than a query for every file.
 * @param from.prefix only files at or below it will be checked.
 */
export async function readVisibility(
  reader: Reader,
  rounds: Ticks,
  from: { readonly workspaceId: string; readonly viewer: Viewer; readonly prefix: PathPrefix },
): Promise<Visibility> {
  const { workspaceId, viewer, prefix } = from;
  const workspace = await reader.workspaces.find(workspaceId);
  if (workspace === null) return () => false;
  if (workspace.privacyRecords === 0) return (path) => isVisibleTo(path, null, viewer);
  const topOwner = prefix === '' ? null : await findOwner(reader, workspaceId, prefix);
  const owners = await readPrivacyOwners(reader, rounds, workspace, prefix);
  let folder: string = prefix;
  let folderOwner = topOwner;
  return (path) => {
    // The prefix may be a file.
    if (path === prefix) return isVisibleTo(path, topOwner, viewer);
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent !== folder) {
      folder = parent;
      folderOwner = ownerOfFolder(owners, parent, { prefix, topOwner });
    }
    return isVisibleTo(path, nearestOwner(owners, path, folderOwner), viewer);
  };
}

/** Descends from the prefix. */
function ownerOfFolder(
  owners: ReadonlyMap<WorkspacePath, string>,
  folder: string,
  top: { readonly prefix: PathPrefix; readonly topOwner: string | null },
): string | null {
  let owner = top.topOwner;
  for (let end = top.prefix.length; end < folder.length; ) {
    const slash = folder.indexOf('/', end + 1);
    end = slash === -1 ? folder.length : slash;
    // A path cut at a slash is a valid path.
    owner = nearestOwner(owners, folder.slice(0, end) as WorkspacePath, owner);
  }
  return owner;
}
