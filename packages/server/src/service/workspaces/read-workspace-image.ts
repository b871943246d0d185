import { isContentHash, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { WorkspaceImageRow } from '../ports/workspace-images.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Returns the image that is the workspace's current icon. Other contents of the workspace are not accessible by their
 * hash here.
 * @throws WorkspaceError `file_not_found`
 */
export async function readWorkspaceImage(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  contentHash: string,
): Promise<WorkspaceImageRow> {
  const found = isContentHash(contentHash)
    ? await deps.store.reader.workspaceImages.find(access.workspace.id, contentHash)
    : null;
  if (found === null) throw new WorkspaceError('file_not_found', {}, 'The workspace has no such icon');
  return found;
}
