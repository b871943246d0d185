import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import type { VersionRow } from '../ports/files.ts';
import { refuseHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type ReadableFile, readableFile } from './open-content.ts';
import { requireVersion, type VersionTarget } from './require-version.ts';

/**
 * Finds the current file at a path (interface: files, Read).
 * @throws WorkspaceError `file_not_found`
 */
export async function readFile(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  { path }: { readonly path: WorkspacePath },
): Promise<ReadableFile> {
  const { reader } = deps.store;
  const file = await reader.files.find(access.workspace.id, path);
  if (file === null) throw new WorkspaceError('file_not_found');
  await refuseHidden(reader, access.workspace.id, path, access.viewer);
  return readableFile(deps, file);
}

/**
 * Finds an earlier version at a path, of a deleted file too (interface: versions, Read a version).
 * @throws WorkspaceError `file_not_found`, `version_not_found`
 */
export async function readVersion(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  target: VersionTarget,
): Promise<ReadableFile<VersionRow>> {
  const from = { workspaceId: access.workspace.id, viewer: access.viewer };
  const found = await deps.store.snapshot(async (reader) => {
    await refuseHidden(reader, from.workspaceId, target.path, from.viewer);
    return requireVersion(reader, from, target);
  });
  return readableFile(deps, found);
}
