import { fileNameOf, likeness, searchQueryMaxCharacters, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { searchFiles } from './search-files.ts';

const suggestedMax = 3;
/** Places in a name where one character too many, or a wrong one, is looked for. */
const slipsMax = 24;
const foundMax = 20;
const likenessMin = 0.6;
/** Characters of a name that can be told from a slip in another. */
const comparedMin = 3;

/**
 * Paths of files that somebody may have meant who named one that is not there, the likeliest first: the end of a path, another
 * case, a slip of one character. Only what the caller may see.
 */
export async function suggestPaths(
  deps: Pick<ServiceDeps, 'pathIndexes'>,
  access: WorkspaceAccess,
  path: WorkspacePath,
): Promise<readonly WorkspacePath[]> {
  const name = fileNameOf(path);
  const wanted = path.toLowerCase();
  for (const queries of [[path], [name], slipsOf(name)]) {
    const found = new Map<WorkspacePath, number>();
    for (const query of queries) {
      if (query.trim() === '' || query.length > searchQueryMaxCharacters) continue;
      const { results } = await searchFiles(deps, access, { query, limit: foundMax });
      for (const { path: each, name: itsName, isDir } of results) {
        if (isDir) continue;
        const byName = nameLikeness(itsName.toLowerCase(), name.toLowerCase());
        if (byName > 0) found.set(each, byName + likeness(each.toLowerCase(), wanted, likenessMin) / 1000);
      }
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

/** The name without one of its characters: what is found by it may have another there. */
function slipsOf(name: string): readonly string[] {
  const stem = stemOf(name).length;
  const slips: string[] = [];
  for (let at = 0; at < Math.min(stem, slipsMax); at += 1) slips.push(name.slice(0, at) + name.slice(at + 1));
  return slips.filter((slip) => stemOf(slip).length >= comparedMin - 1);
}
