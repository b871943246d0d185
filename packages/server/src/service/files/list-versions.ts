import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import { isHidden, refuseHidden } from '../privacy/find-owner.ts';
import { hasLeftInPrivate } from '../privacy/left-in-private.ts';
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
    const listed = await collectVersions(reader, access, path, limit);
    if (listed === null) throw new WorkspaceError('file_not_found');
    return listed;
  });
}

type Asking = Pick<WorkspaceAccess, 'viewer'> & { readonly workspace: { readonly id: string } };

/** @returns null when no file that the caller may know of ever stood there. `reader` holds one snapshot. */
export async function collectVersions(
  reader: Reader,
  asking: Asking,
  path: WorkspacePath,
  limit: number,
): Promise<readonly ListedVersion[] | null> {
  const listed: ListedVersion[] = [];
  const seen = new Set<number>();
  let isKnown = false;
  for (const incarnation of await reader.files.incarnationsAt(asking.workspace.id, path)) {
    if (listed.length >= limit) break;
    const stay = { path, incarnation };
    if (await hasLeftInPrivate(reader, asking.workspace.id, stay, asking.viewer)) continue;
    isKnown = true;
    await collectIncarnation(reader, asking, stay, path, limit, seen, listed);
  }
  return isKnown ? listed : null;
}

/** Adds one incarnation of a file and those it moved from, as far as the caller may see their paths. */
async function collectIncarnation(
  reader: Reader,
  access: Asking,
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
