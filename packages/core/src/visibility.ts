// docs/decisions/0008-privacy-nearest-record.md
import { isWithin, type PathPrefix, type WorkspacePath } from './workspace-path.ts';

/**
 * The user who looks at a workspace. All results that are shown, listed, counted or found depend on this one value.
 * `isVisibleTo` and its SQL form apply it.
 */
export interface Viewer {
  /** Null: a visitor without rights of their own, who opened a public link. */
  readonly userId: string | null;
  /**
   * The folder or file that a key with a `path` is limited to; all else does not exist for it. Empty: the whole
   * workspace.
   */
  readonly within: PathPrefix;
}

/** Sees only items without a privacy record. */
export const anonymous: Viewer = { userId: null, within: '' };

/** Makes the viewer for a user with access to the whole workspace. */
export function memberViewer(userId: string | null): Viewer {
  return { userId, within: '' };
}

/** Whether a path is visible, given the owner of the nearest privacy record (null: no record, visible to all). */
export function isVisibleTo(path: WorkspacePath, ownerId: string | null, viewer: Viewer): boolean {
  return isVisible(path, viewer) && (ownerId === null || ownerId === viewer.userId);
}

/** Whether the viewer's key covers the path. Outside it, no path exists for the viewer, not even their own. */
export function isVisible(path: WorkspacePath, { within }: Viewer): boolean {
  return isWithin(path, within);
}

/**
 * Returns the owner of the nearest privacy record at or above a path: its own record, or the owner of its folder.
 * Applied to each name from the workspace (null) down, this gives every path its owner.
 */
export function nearestOwner(
  ownerByPath: ReadonlyMap<WorkspacePath, string>,
  path: WorkspacePath,
  folderOwnerId: string | null,
): string | null {
  return ownerByPath.get(path) ?? folderOwnerId;
}

/** A file's path, and the folders above it with their slashes. */
export interface FolderedPath {
  readonly path: WorkspacePath;
  readonly folder: string;
}

/**
 * Returns a function for the owner of each file (null: shared), given all privacy records at and above the files.
 * Fastest when called in path order.
 */
export function ownersByPath(
  ownerByPath: ReadonlyMap<WorkspacePath, string>,
): (file: FolderedPath) => string | null {
  if (ownerByPath.size === 0) return () => null;
  const ofFolders = new Map<string, string | null>([['', null]]);
  const ofFolder = (path: string): string | null => {
    const known = ofFolders.get(path);
    if (known !== undefined) return known;
    // A path cut at a slash is a valid path.
    const above = ofFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const owner = nearestOwner(ownerByPath, path as WorkspacePath, above);
    ofFolders.set(path, owner);
    return owner;
  };
  let current = '';
  let folderOwner: string | null = null;
  return ({ path, folder }) => {
    if (folder !== current) {
      current = folder;
      folderOwner = ofFolder(folder.slice(0, -1));
    }
    return nearestOwner(ownerByPath, path, folderOwner);
  };
}

/**
 * Returns whether the viewer sees a file, given all privacy records at and above the files. Fastest when called in path
 * order.
 */
export function visibilityOf(
  viewer: Viewer,
  ownerByPath: ReadonlyMap<WorkspacePath, string>,
): (file: FolderedPath) => boolean {
  if (ownerByPath.size === 0 && viewer.within === '') return () => true;
  const ownerOf = ownersByPath(ownerByPath);
  return (file) => isVisibleTo(file.path, ownerOf(file), viewer);
}
