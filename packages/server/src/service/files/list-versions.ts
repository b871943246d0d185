import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import { isHidden, rejectHidden } from '../privacy/find-owner.ts';
import { hasLeftInPrivate, type Stay } from '../privacy/left-in-private.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** More than a user reads; older versions can still be read by number. */
const versionsListedMax = 10_000;

export interface ListedVersion {
  readonly row: VersionRow;
  /** The path at which to read a version from before a move; null for versions at the requested path. */
  readonly movedFrom: WorkspacePath | null;
}

/**
 * Lists the versions of the file at a path, newest first, following its moves back; then those of earlier files there.
 * At most `limit`.
 * @throws WorkspaceError `file_not_found` when no file was ever there.
 */
export async function listVersions(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  { path, limit = versionsListedMax }: { readonly path: WorkspacePath; readonly limit?: number },
): Promise<readonly ListedVersion[]> {
  return deps.store.snapshot(async (reader) => {
    await rejectHidden(reader, access.workspace.id, path, access.viewer);
    const listed = await collectVersions(reader, access, path, limit);
    if (listed === null) throw new WorkspaceError('file_not_found');
    return listed;
  });
}

type Asking = Pick<WorkspaceAccess, 'viewer'> & { readonly workspace: { readonly id: string } };

/** @returns null when no file was ever there, as far as the caller may know. `reader` must be one snapshot. */
export async function collectVersions(
  reader: Reader,
  asking: Asking,
  path: WorkspacePath,
  limit: number,
): Promise<readonly ListedVersion[] | null> {
  const listed: ListedVersion[] = [];
  let isKnown = false;
  for await (const stay of staysAt(reader, asking, path)) {
    isKnown = true;
    if (listed.length >= limit) break;
    const { workspace } = asking;
    const rows = await reader.files.versionsOf({
      workspaceId: workspace.id,
      ...stay,
      belowVersion: null,
      limit: limit - listed.length,
    });
    const movedFrom = stay.path === path ? null : stay.path;
    for (const row of rows) listed.push({ row, movedFrom });
  }
  return isKnown ? listed : null;
}

/**
 * Yields the file ids whose versions are listed at a path. First come the newest file there and the files that it was
 * moved from, as far as the caller may see their paths; then the next older file. `reader` must be one snapshot.
 */
async function* staysAt(
  reader: Reader,
  { workspace, viewer }: Asking,
  path: WorkspacePath,
): AsyncGenerator<Stay, void, undefined> {
  const seen = new Set<number>();
  for (const incarnation of await reader.files.incarnationsAt(workspace.id, path)) {
    const first: Stay = { path, incarnation };
    if (await hasLeftInPrivate(reader, workspace.id, first, viewer)) continue;
    let at: Stay | null = first;
    while (at !== null && !seen.has(at.incarnation)) {
      seen.add(at.incarnation);
      if (await isHidden(reader, workspace.id, at.path, viewer)) break;
      yield at;
      at = (await reader.files.beginningOf(workspace.id, at.incarnation))?.movedFrom ?? null;
    }
  }
}

/** A file id at its path with the newest version: the versions below it count down to 1. */
export interface ListedStay extends Stay {
  readonly newest: VersionRow;
}

/** Maximum number of file ids in the history of one text. */
const staysMax = 50;

/** Returns the newest file ids whose versions `listVersions` lists, in its order. */
export async function listStays(
  reader: Reader,
  asking: Asking,
  path: WorkspacePath,
): Promise<readonly ListedStay[]> {
  const stays: ListedStay[] = [];
  for await (const stay of staysAt(reader, asking, path)) {
    const asked = { workspaceId: asking.workspace.id, ...stay, belowVersion: null, limit: 1 };
    const [newest] = await reader.files.versionsOf(asked);
    if (newest !== undefined) stays.push({ ...stay, newest });
    if (stays.length === staysMax) break;
  }
  return stays;
}
