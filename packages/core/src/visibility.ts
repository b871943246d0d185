// docs/decisions/0010-privacy-nearest-record.md
import { isWithin, type PathPrefix, type WorkspacePath } from './workspace-path.ts';

/**
 * Who looks at a workspace. Everything that is shown, listed, counted or found depends on this one value; `isVisibleTo` and the
 * database's own form of it are the only places that look inside.
 */
export interface Viewer {
  /** Null: somebody without rights of their own, who opened a public link. */
  readonly userId: string | null;
  /** The folder or file outside of which nothing is there for them, by a key with a `path`; empty: the whole workspace. */
  readonly within: PathPrefix;
}

/** Sees what no privacy record covers. */
export const anonymous: Viewer = { userId: null, within: '' };

/** A person, by whatever reaches the whole workspace. */
export function memberViewer(userId: string | null): Viewer {
  return { userId, within: '' };
}

/** Whether a path is visible, from the owner of the nearest privacy record (null: no record, everyone). */
export function isVisibleTo(path: WorkspacePath, ownerId: string | null, viewer: Viewer): boolean {
  return isInSight(path, viewer) && (ownerId === null || ownerId === viewer.userId);
}

/** Whether the viewer's key reaches the path. One that it does not reach is not there, whoever owns it. */
export function isInSight(path: WorkspacePath, { within }: Viewer): boolean {
  return isWithin(path, within);
}

/**
 * The owner of the nearest privacy record at or above a path: its own record, or what holds for the folder that it is in.
 * Going down from the workspace (null) one name at a time gives every path its owner.
 */
export function nearestOwner(
  ownerByPath: ReadonlyMap<WorkspacePath, string>,
  path: WorkspacePath,
  folderOwnerId: string | null,
): string | null {
  return ownerByPath.get(path) ?? folderOwnerId;
}
