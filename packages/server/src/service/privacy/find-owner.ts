import { isVisibleTo, type Viewer, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';

/**
 * The member to whom `path` is private, or null when every member sees it. It is asked for each time: what a request saw
 * of the workspace when it began may be from before somebody made the path private.
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
 * The one refusal for "not yours" and "not there": a caller cannot tell another member's private path, or one that their key
 * does not reach, from an absent one.
 * Outside a snapshot it is asked after what it guards was read: what was written later is then never shown.
 * @returns the owner, null or the viewer, when the viewer may go on.
 * @throws WorkspaceError `file_not_found`
 */
export async function refuseHidden(
  reader: Pick<Reader, 'nodes'>,
  workspaceId: string,
  path: WorkspacePath,
  viewer: Viewer,
): Promise<string | null> {
  const ownerId = await findOwner(reader, workspaceId, path);
  refuseHiddenFrom(viewer, path, ownerId);
  return ownerId;
}

/**
 * As `refuseHidden`, where the owner was found already.
 * @throws WorkspaceError `file_not_found`
 */
export function refuseHiddenFrom(viewer: Viewer, path: WorkspacePath, ownerId: string | null): void {
  if (!isVisibleTo(path, ownerId, viewer)) throw new WorkspaceError('file_not_found');
}
