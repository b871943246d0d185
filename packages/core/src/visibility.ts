// docs/decisions/0010-privacy-nearest-record.md
import type { WorkspacePath } from './workspace-path.ts';

/**
 * Who looks at a workspace. Everything that is shown, listed, counted or found depends on this one value; `isVisibleTo` and the
 * database's own form of it are the only places that look inside.
 */
export interface Viewer {
  /** Null: somebody without rights of their own, who opened a public link. */
  readonly userId: string | null;
}

/** Sees what no privacy record covers. */
export const anonymous: Viewer = { userId: null };

/** Who a path is visible to, from the owner of the nearest privacy record (null: no record, everyone). */
export function isVisibleTo(ownerId: string | null, viewer: Viewer): boolean {
  return ownerId === null || ownerId === viewer.userId;
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
