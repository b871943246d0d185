import {
  changePaths,
  compareByCodePoint,
  emptyPathIndex,
  type PathIndex,
  parseSearchQuery,
  parseWorkspacePath,
  pathChangesMax,
  type SearchOutcome,
  type SearchPrivacy,
  searchPaths,
} from '../../../src/index.ts';
import { memberViewer } from '../../../src/visibility.ts';

export const nothingPrivate: SearchPrivacy = { viewer: memberViewer('viewer'), ownerByPath: new Map() };

export function indexOf(paths: readonly string[]): PathIndex {
  const sorted = paths.map(parseWorkspacePath).sort(compareByCodePoint);
  let index = emptyPathIndex;
  for (let i = 0; i < sorted.length; i += pathChangesMax) {
    const page = sorted.slice(i, i + pathChangesMax);
    index = changePaths(
      index,
      page.map((path) => ({ path, exists: true })),
    );
  }
  return index;
}

export function search(
  index: PathIndex,
  query: string,
  { privacy = nothingPrivate, limit = 1_000_000 } = {},
): SearchOutcome {
  const steps = searchPaths(index, parseSearchQuery(query), privacy, limit);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export function foundPaths(index: PathIndex, query: string): string[] {
  return search(index, query).results.map(({ path }) => path);
}
