import { isVisibleTo, type Viewer, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';

/**
 * Returns the member to whom `path` is private, or null when every member sees it. Always queried: the state from the
 * start of the request may be older than a privacy change.
 */
export async function findOwner(
  reader: Pick<Reader, 'nodes'>,
  workspaceId: string,
  path: WorkspacePath,
): Promise<string | null> {
  return (await reader.nodes.decidingPrivacy(workspaceId, path))?.ownerId ?? null;
}

export async function isHidden(
  reader: Pick<Reader, 'nodes'>,
  workspaceId: string,
  path: WorkspacePath,
  viewer: Viewer,
): Promise<boolean> {
  return !isVisibleTo(path, await findOwner(reader, workspaceId, path), viewer);
}

/**
 * Rejects a hidden path exactly like a missing one: a caller cannot distinguish another member's private path, or one
 * that their key does not reach, from an absent one. Outside a snapshot, call it after reading the data that it guards,
 * so that later writes are never exposed.
 * @returns the owner, null or the viewer, when the viewer may continue.
 * @throws WorkspaceError `file_not_found`
 */
export async function rejectHidden(
  reader: Pick<Reader, 'nodes'>,
  workspaceId: string,
  path: WorkspacePath,
  viewer: Viewer,
): Promise<string | null> {
  const ownerId = await findOwner(reader, workspaceId, path);
  rejectHiddenFrom(viewer, path, ownerId);
  return ownerId;
}

/**
 * As `rejectHidden`, for an owner that was already read.
 * @throws WorkspaceError `file_not_found`
 */
export function rejectHiddenFrom(viewer: Viewer, path: WorkspacePath, ownerId: string | null): void {
  if (!isVisibleTo(path, ownerId, viewer)) throw new WorkspaceError('file_not_found');
}
