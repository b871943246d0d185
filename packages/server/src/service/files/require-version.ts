// docs/decisions/0006-incarnations.md
import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';

/**
 * A kept version at a path: of the current incarnation of a file there, else of the newest earlier one that has it.
 * @throws WorkspaceError `version_not_found`, or `file_not_found` when no file ever stood there.
 */
export async function requireVersion(
  reader: Pick<Reader, 'files'>,
  workspaceId: string,
  path: WorkspacePath,
  version: number,
): Promise<VersionRow> {
  const found = await reader.files.findVersion(workspaceId, path, version);
  if (found !== null) return found;
  const incarnations = await reader.files.incarnationsAt(workspaceId, path);
  throw new WorkspaceError(incarnations.length === 0 ? 'file_not_found' : 'version_not_found');
}
