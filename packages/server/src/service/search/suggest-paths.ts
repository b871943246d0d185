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
import { inTurns } from './turns.ts';

const suggestedMax = 3;
const foundMax = 20;
const likenessMin = 0.6;
/** Characters of a name that can be told from a slip in another. */
const comparedMin = 3;

/**
 * Paths of files that somebody may have meant who named one that is not there, the likeliest first: the end of a path, another
 * case, a slip of one character. Only what the caller may see.
 */
export async function suggestPaths(
  { pathIndexes }: Pick<ServiceDeps, 'pathIndexes'>,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
): Promise<readonly WorkspacePath[]> {
  const name = fileNameOf(path);
  const wanted = path.toLowerCase();
  const { index, ownerByPath } = await pathIndexes.read(workspace.id);
  const privacy = { viewer, ownerByPath };
  for (const [text, isSlip] of [
    [path, false],
    [name, false],
    [name, true],
  ] as const) {
    if (text.trim() === '' || text.length > searchQueryMaxCharacters) continue;
    const query = parseSearchQuery(text);
    const results = isSlip
      ? await inTurns(pathIndexes.turns, searchSlips(index, query, privacy, foundMax))
      : (await inTurns(pathIndexes.turns, searchPaths(index, query, privacy, foundMax))).results;
    const found = new Map<WorkspacePath, number>();
    for (const { path: each, name: itsName, isDir } of results) {
      if (isDir) continue;
      const byName = nameLikeness(itsName.toLowerCase(), name.toLowerCase());
      if (byName > 0) found.set(each, byName + likeness(each.toLowerCase(), wanted, likenessMin) / 1000);
    }
    if (found.size > 0) {
      const best = [...found].sort(([a, worthA], [b, worthB]) => worthB - worthA || (a < b ? -1 : 1));
      return best.slice(0, suggestedMax).map(([each]) => each);
    }
  }
  return [];
}

/** Without the endings, by which all notes are alike. In a name of a character or two, one more or less is another name. */
function nameLikeness(a: string, b: string): number {
  const [stemA, stemB] = [stemOf(a), stemOf(b)];
  if (Math.min(stemA.length, stemB.length) < comparedMin) return stemA === stemB ? 1 : 0;
  return likeness(stemA, stemB, likenessMin);
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
