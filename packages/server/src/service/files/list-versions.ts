import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import { isHidden, refuseHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** More than a person reads; the oldest beyond it are read by number. */
const versionsListedMax = 10_000;

export interface ListedVersion {
  readonly row: VersionRow;
  /** The path at which to read a version from before a move; null for versions read at the path that was asked for. */
  readonly movedFrom: WorkspacePath | null;
}

/**
 * The versions of the file at a path, newest first, following its moves back; then the versions of files that stood
 * there before. At most `limit`.
 * @throws WorkspaceError `file_not_found` when no file ever stood there.
 */
export async function listVersions(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  { path, limit = versionsListedMax }: { readonly path: WorkspacePath; readonly limit?: number },
): Promise<readonly ListedVersion[]> {
  return deps.store.snapshot(async (reader) => {
    await refuseHidden(reader, access.workspace.id, path, access.viewer);
    const incarnations = await reader.files.incarnationsAt(access.workspace.id, path);
    if (incarnations.length === 0) throw new WorkspaceError('file_not_found');
    const listed: ListedVersion[] = [];
    const seen = new Set<number>();
    for (const incarnation of incarnations) {
      if (listed.length >= limit) break;
      await collectIncarnation(reader, access, { path, incarnation }, path, limit, seen, listed);
    }
    return listed;
  });
}

/** Adds one incarnation of a file and those it moved from, as far as the caller may see their paths. */
async function collectIncarnation(
  reader: Reader,
  access: WorkspaceAccess,
  start: { readonly path: WorkspacePath; readonly incarnation: number },
  askedPath: WorkspacePath,
  limit: number,
  seen: Set<number>,
  listed: ListedVersion[],
): Promise<void> {
  const workspaceId = access.workspace.id;
  let at: { readonly path: WorkspacePath; readonly incarnation: number } | null = start;
  while (at !== null && !seen.has(at.incarnation) && listed.length < limit) {
    seen.add(at.incarnation);
    if (await isHidden(reader, workspaceId, at.path, access.viewer)) return;
    const rows: readonly VersionRow[] = await reader.files.versionsOf({
      workspaceId,
      ...at,
      belowVersion: null,
      limit: limit - listed.length,
    });
    const movedFrom = at.path === askedPath ? null : at.path;
    for (const row of rows) listed.push({ row, movedFrom });
    at = rows.at(-1)?.movedFrom ?? null;
  }
}
