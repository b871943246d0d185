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
