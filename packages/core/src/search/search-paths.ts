import type { SearchResult } from './best-results.ts';
import type { PathIndex } from './path-index.ts';
import { PathScan, type SearchPrivacy } from './path-scan.ts';
import type { SearchQuery } from './search-query.ts';

/** Work between two steps, in the measure of `PathScan.work`: a few milliseconds. */
const workPerStep = 200_000;

export interface SearchOutcome {
  /** Best first, at most as many as were asked for. */
  readonly results: readonly SearchResult[];
  /** All matches, also those that are not among the results. */
  readonly totalMatches: number;
  readonly truncated: boolean;
}

/**
 * Fuzzy search over file and folder paths (interface: files, Search). A path matches when it holds the query's characters
 * in order, whatever their case and without white space. A folder is every distinct one above a visible file; `.keep` files
 * are never results, the folders that they keep are.
 *
 * Runs in steps, so that its caller decides what happens in between; the outcome is the last step's value.
 *
 * @param limit most results that are wanted.
 */
export function* searchPaths(
  index: PathIndex,
  query: SearchQuery,
  privacy: SearchPrivacy,
  limit: number,
): Generator<undefined, SearchOutcome, undefined> {
  const scan = new PathScan(query, privacy, limit);
  let workMax = workPerStep;
  for (const chunk of index.chunks) {
    for (let next = 0; next < chunk.paths.length; ) {
      next = scan.scan(chunk, next, workMax);
      if (scan.work < workMax) continue;
      yield;
      workMax = scan.work + workPerStep;
    }
  }
  const results = scan.results();
  return { results, totalMatches: scan.totalMatches, truncated: scan.totalMatches > results.length };
}
