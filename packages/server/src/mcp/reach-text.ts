import { isWithin, parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

interface Access extends Pick<WorkspaceAccess, 'viewer'> {
  readonly workspace: Pick<WorkspaceAccess['workspace'], 'id'>;
}

/**
 * Returns the path to which a key is restricted, with a slash if the caller sees a folder there; null for the whole
 * workspace.
 */
export async function reachOf(
  { store }: Pick<ServiceDeps, 'store'>,
  { viewer, workspace }: Access,
): Promise<string | null> {
  const { within } = viewer;
  if (within === '') return null;
  const page = {
    workspaceId: workspace.id,
    viewer,
    prefix: parsePathPrefix(within),
    afterPath: null,
    limit: 1,
  };
  const [first] = await store.reader.files.page(page);
  return first === undefined || first.path === within ? within : `${within}/`;
}

/** Returns a note about the restriction of a key; empty for a key without one. */
export async function reachNotes(
  deps: Pick<ServiceDeps, 'store'>,
  access: Access,
): Promise<readonly string[]> {
  const reach = await reachOf(deps, access);
  return reach === null ? [] : [`This key reaches ${reach} only.`];
}

/**
 * Explains that a path is outside the reach of a key. The text is the same for every path outside, so that it reveals
 * nothing about them.
 * @returns null if each path is inside
 */
export async function outsideText(
  deps: Pick<ServiceDeps, 'store'>,
  access: Access,
  input: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const { within } = access.viewer;
  if (within === '') return null;
  const paths = [input.path, input.from, input.to].filter((path) => typeof path === 'string');
  if (paths.every((path) => isWithin(parseWorkspacePath(path), within))) return null;
  return `This key reaches ${await reachOf(deps, access)} only: nothing can be written outside it.`;
}
