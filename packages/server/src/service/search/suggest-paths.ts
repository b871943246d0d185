import {
  fileNameOf,
  likeness,
  parseSearchQuery,
  searchPaths,
  searchQueryMaxCharacters,
  searchSlips,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { inTicks } from './ticks.ts';

const suggestedMax = 3;
const foundMax = 20;
const likenessMin = 0.6;
/** Shorter names have no recognisable typing errors. */
const comparedMin = 3;

/**
 * Suggests existing files, or folders, for a path that does not exist, likeliest first. A suggestion has the same end
 * of the path, another case, or a typing error of one character; a folder may also begin with the name. Only paths that
 * the caller may see.
 */
export async function suggestPaths(
  { currentFiles }: Pick<ServiceDeps, 'currentFiles'>,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
  kind: 'file' | 'folder' = 'file',
): Promise<readonly WorkspacePath[]> {
  const name = fileNameOf(path);
  const wanted = path.toLowerCase();
  const { ticks } = currentFiles;
  const { files, ownerByPath } = await currentFiles.read(workspace.id);
  const privacy = { viewer, ownerByPath };
  for (const [text, isSlip] of [
    [path, false],
    [name, false],
    [name, true],
  ] as const) {
    if (text.trim() === '' || text.length > searchQueryMaxCharacters) continue;
    const query = parseSearchQuery(text);
    const results = isSlip
      ? await inTicks(ticks, searchSlips(files, query, privacy, foundMax))
      : (await inTicks(ticks, searchPaths(files, query, privacy, foundMax))).results;
    const found = new Map<WorkspacePath, number>();
    for (const { path: each, name: itsName, isDir } of results) {
      if (isDir !== (kind === 'folder')) continue;
      const [its, wants] = [itsName.toLowerCase(), name.toLowerCase()];
      const byName = kind === 'folder' && its.startsWith(wants) ? 1 : nameLikeness(its, wants);
      if (byName > 0) found.set(each, byName + likeness(each.toLowerCase(), wanted, likenessMin) / 1000);
    }
    if (found.size > 0) {
      const best = [...found].sort(([a, worthA], [b, worthB]) => worthB - worthA || (a < b ? -1 : 1));
      return best.slice(0, suggestedMax).map(([each]) => each);
    }
  }
  return [];
}

/** Compares names without extensions, which most notes share. Names of one or two characters must be equal. */
function nameLikeness(a: string, b: string): number {
  const [stemA, stemB] = [stemOf(a), stemOf(b)];
  if (Math.min(stemA.length, stemB.length) < comparedMin) return stemA === stemB ? 1 : 0;
  return likeness(stemA, stemB, likenessMin);
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
