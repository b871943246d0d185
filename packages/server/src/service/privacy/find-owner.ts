import { isVisibleTo, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import type { PrivacyRow, WorkspaceRow } from '../ports/rows.ts';

/**
 * The privacy record that decides over `path`. It is asked for each time: what a request saw of the workspace when it
 * began may be from before somebody made the path private.
 */
export async function findDecidingPrivacy(
  reader: Pick<Reader, 'nodes'>,
  workspace: Pick<WorkspaceRow, 'id'>,
  path: WorkspacePath,
): Promise<PrivacyRow | null> {
  return reader.nodes.decidingPrivacy(workspace.id, path);
}

/** The member to whom `path` is private, or null when every member sees it. */
export async function findOwner(
  reader: Pick<Reader, 'nodes'>,
  workspace: Pick<WorkspaceRow, 'id'>,
  path: WorkspacePath,
): Promise<string | null> {
  return (await findDecidingPrivacy(reader, workspace, path))?.ownerId ?? null;
}

/**
 * The one refusal for "not yours" and "not there": a caller cannot tell another member's private path from an absent one.
 * Outside a snapshot it is asked after what it guards was read: what was written later is then never shown.
 * @returns the owner, null or the viewer, when the viewer may go on.
 * @throws WorkspaceError `file_not_found`
 */
export async function refuseHidden(
  reader: Pick<Reader, 'nodes'>,
  workspace: Pick<WorkspaceRow, 'id'>,
  path: WorkspacePath,
  viewerId: string,
): Promise<string | null> {
  const ownerId = await findOwner(reader, workspace, path);
  if (!isVisibleTo(ownerId, viewerId)) throw new WorkspaceError('file_not_found');
  return ownerId;
}
