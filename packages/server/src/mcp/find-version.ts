import { WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import { type ListedStay, listStays } from '../service/files/list-versions.ts';
import { findSeenVersion, type VersionTarget } from '../service/files/require-version.ts';
import { rejectHidden } from '../service/privacy/find-owner.ts';
import { formerPathText } from './former-path-text.ts';
import type { McpDeps } from './mcp-deps.ts';

/** A version of a file as the arguments of a tool name it. */
export interface NamedVersion {
  readonly path: WorkspacePath;
  readonly version: number;
  /** An earlier path of the file, if the number belongs to a version there; null for a version at `path`. */
  readonly movedFrom: WorkspacePath | null;
}

export interface FoundVersion {
  /** Identifies the version as REST does. */
  readonly target: VersionTarget;
  /** The path at which it was written, if that differs. */
  readonly movedFrom: WorkspacePath | null;
  /** Earlier paths of the file with a version of the same number. */
  readonly alsoAt: readonly WorkspacePath[];
}

/**
 * Finds a version by its number at a path, else among the versions from before the file's moves.
 * @throws WorkspaceError `file_not_found`, `version_not_found`
 */
export async function findVersion(
  deps: McpDeps,
  access: WorkspaceAccess,
  { path, version, movedFrom }: NamedVersion,
): Promise<FoundVersion> {
  const { workspace, viewer } = access;
  const from = { workspaceId: workspace.id, viewer };
  return deps.service.store.snapshot(async (reader) => {
    await rejectHidden(reader, workspace.id, path, viewer);
    const stays = await listStays(reader, access, path);
    const earlier = stays.filter((stay) => stay.path !== path && stay.newest.version >= version);
    const target = { path, version, contentHash: null };
    if (movedFrom === null && (await findSeenVersion(reader, from, target)) !== null)
      return { target, movedFrom: null, alsoAt: earlier.map((stay) => stay.path) };
    const stay = earlier.find((each) => movedFrom === null || each.path === movedFrom);
    if (stay === undefined)
      throw new WorkspaceError(stays.length === 0 ? 'file_not_found' : 'version_not_found');
    const asked = { workspaceId: workspace.id, ...stay, belowVersion: version + 1, limit: 1 };
    const [row] = await reader.files.versionsOf(asked);
    if (row?.version !== version) throw new WorkspaceError('version_not_found');
    return { target: { ...target, contentHash: row.contentHash }, movedFrom: stay.path, alsoAt: [] };
  });
}

/** Lists the existing versions, at this path and from before the file's moves. */
export async function missingVersionText(
  deps: McpDeps,
  access: WorkspaceAccess,
  { path, restores }: { readonly path: WorkspacePath; readonly restores: boolean },
): Promise<string | null> {
  const { store } = deps.service;
  const stays = await store.snapshot((reader) => listStays(reader, access, path));
  const here = newestAt(stays, path);
  if (here === null) return null;
  const isThere = (await store.reader.files.find(access.workspace.id, path)) !== null;
  const former = isThere ? null : await formerPathText(deps, access, path, restores);
  const earlier = [...new Set(stays.map((stay) => stay.path))].filter((each) => each !== path);
  const before = earlier.map(
    (each) => `${rangeTo(newestAt(stays, each) ?? 1)} from before its move are at ${each}`,
  );
  const facts = [`${path} has ${versionsTo(here)}${earlier.length === 0 ? '' : ' here'}`, ...before].join(
    '; ',
  );
  const went = former === null ? '' : ` It ${former.what}.`;
  return `Version not found: ${facts}.${went} Next: read_file_version with one of these.`;
}

/**
 * If several files were at a path, a number means the newest file with that version, so that all numbers up to the
 * highest exist.
 */
function newestAt(stays: readonly ListedStay[], path: WorkspacePath): number | null {
  const numbers = stays.filter((stay) => stay.path === path).map(({ newest }) => newest.version);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

function versionsTo(newest: number): string {
  return newest === 1 ? 'version 1' : `versions ${rangeTo(newest)}`;
}

function rangeTo(newest: number): string {
  return newest === 1 ? '1' : `1 to ${newest}`;
}
