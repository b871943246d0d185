// docs/decisions/0006-incarnations.md
// docs/decisions/0041-versions-by-number-and-hash.md
import { type ContentHash, type Viewer, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';

/** Which version is meant (interface: versions, Read a version). */
export interface VersionTarget {
  readonly path: WorkspacePath;
  readonly version: number;
  /** What it holds, or null: a number alone names the newest version here that has it. */
  readonly contentHash: ContentHash | null;
}

/**
 * A kept version at a path: by its number of the current incarnation of a file there, else of the newest earlier one
 * that has it; by number and content any that is listed there.
 * @throws WorkspaceError `version_not_found`, or `file_not_found` when no file ever stood there.
 */
export async function requireVersion(
  reader: Pick<Reader, 'files'>,
  from: { readonly workspaceId: string; readonly viewer: Viewer },
  { path, version, contentHash }: VersionTarget,
): Promise<VersionRow> {
  const { files } = reader;
  const { workspaceId } = from;
  const found =
    contentHash === null
      ? await files.findVersion(workspaceId, path, version)
      : await files.findListedVersion({ ...from, path, version, contentHash });
  if (found !== null) return found;
  const incarnations = await files.incarnationsAt(workspaceId, path);
  throw new WorkspaceError(incarnations.length === 0 ? 'file_not_found' : 'version_not_found');
}
