import type { SearchResult } from './best-results.ts';
import type { PathIndex } from './path-index.ts';
import { PathScan, type SearchPrivacy } from './path-scan.ts';
import type { SearchQuery } from './search-query.ts';

/** Work between two steps, as measured by `PathScan.work`: a few milliseconds. */
const workPerStep = 200_000;

export interface SearchOutcome {
  /** Best first, at most as many as requested. */
  readonly results: readonly SearchResult[];
  /** All matches, including those that are not among the results. */
  readonly totalMatches: number;
  readonly truncated: boolean;
}

/**
 * Fuzzy search over file and folder paths (interface: files, Search). A path matches if it contains the query's
 * characters in order, ignoring case and white space. Each folder above a visible file is included once. `.keep` files
 * are never results, but their folders are.
 *
 * Runs in steps, so that its caller can do other work between them. The last step returns the outcome.
 *
 * @param limit maximum number of results.
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
