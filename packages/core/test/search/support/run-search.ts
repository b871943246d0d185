import {
  compareByCodePoint,
  parseSearchQuery,
  parseWorkspacePath,
  type SearchedPath,
  type SearchOutcome,
  type SearchPrivacy,
  searchedPath,
  searchPaths,
} from '../../../src/index.ts';
import { memberViewer } from '../../../src/visibility.ts';

export const nothingPrivate: SearchPrivacy = { viewer: memberViewer('viewer'), ownerByPath: new Map() };

export function listOf(paths: readonly string[]): readonly SearchedPath[] {
  return paths
    .map(parseWorkspacePath)
    .sort(compareByCodePoint)
    .map((path) => searchedPath(path));
}

export function search(
  files: readonly SearchedPath[],
  query: string,
  { privacy = nothingPrivate, limit = 1_000_000 } = {},
): SearchOutcome {
  const steps = searchPaths(files, parseSearchQuery(query), privacy, limit);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export function foundPaths(files: readonly SearchedPath[], query: string): string[] {
  return search(files, query).results.map(({ path }) => path);
}
