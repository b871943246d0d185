import { isVisibleTo, nearestOwner, type PathPrefix, type Viewer, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import { findOwner } from '../privacy/find-owner.ts';
import { readPrivacyOwners } from '../search/read-privacy-owners.ts';
import type { Ticks } from '../search/ticks.ts';

/** Whether the viewer may see a file of a snapshot. Fastest when called in path order. */
export type Visibility = (path: WorkspacePath) => boolean;
/** Returns the member to whom a file of a snapshot is private; null for a shared file. */
export type OwnerOf = (path: WorkspacePath) => string | null;

interface OwnersWanted {
  readonly workspaceId: string;
  /** Only files at or below it will be checked. */
  readonly prefix: PathPrefix;
}

export async function readVisibility(
  reader: Reader,
  rounds: Ticks,
  { viewer, ...wanted }: OwnersWanted & { readonly viewer: Viewer },
): Promise<Visibility> {
  const ownerOf = await readOwners(reader, rounds, wanted);
  return (path) => isVisibleTo(path, ownerOf(path), viewer);
}

/** Reads all privacy records of a snapshot at once, which is much cheaper than a query for every file. */
export async function readOwners(
  reader: Reader,
  rounds: Ticks,
  { workspaceId, prefix }: OwnersWanted,
): Promise<OwnerOf> {
  const workspace = await reader.workspaces.find(workspaceId);
  if (workspace === null || workspace.privacyRecords === 0) return () => null;
  const topOwner = prefix === '' ? null : await findOwner(reader, workspaceId, prefix);
  const owners = await readPrivacyOwners(reader, rounds, workspace, prefix);
  let folder: string = prefix;
  let folderOwner = topOwner;
  return (path) => {
    // The prefix may be a file.
    if (path === prefix) return topOwner;
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent !== folder) {
      folder = parent;
      folderOwner = ownerOfFolder(owners, parent, { prefix, topOwner });
    }
    return nearestOwner(owners, path, folderOwner);
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
