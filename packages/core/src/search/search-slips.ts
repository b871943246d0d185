import { isVisibleTo, nearestOwner } from '../visibility.ts';
import { fileNameOf, foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import { BestResults, type SearchResult } from './best-results.ts';
import type { PathChunk } from './path-chunk.ts';
import type { PathIndex } from './path-index.ts';
import type { SearchPrivacy } from './path-scan.ts';
import type { SearchQuery } from './search-query.ts';
import { codePointBits } from './search-symbols.ts';

/** Names skipped and symbols read between two steps: a few milliseconds. */
const workPerStep = 200_000;
/** More than the symbols of any name. Shorter names score higher, because the query covers more of them. */
const worthMax = 4096;

/**
 * Finds files whose name contains all but one of the query's characters in order, for a user who typed one character
 * too many or a wrong one. Shortest names first.
 *
 * Runs in steps like `searchPaths`.
 */
export function* searchSlips(
  index: PathIndex,
  query: SearchQuery,
  privacy: SearchPrivacy,
  limit: number,
): Generator<undefined, readonly SearchResult[], undefined> {
  const best = new BestResults(limit);
  let work = 0;
  for (const chunk of index.chunks) {
    const { paths, placeholders, nameMasks, nameStarts, ends } = chunk;
    work += paths.length;
    for (let i = 0; i < paths.length; i += 1) {
      if (lacksTwo(query.mask, nameMasks[i] ?? 0) || placeholders[i] === 1) continue;
      const path = paths[i] ?? ('' as WorkspacePath);
      const length = (ends[i] ?? 0) - (nameStarts[i] ?? 0);
      const score = Math.max(1, worthMax - length);
      if (!best.mayKeep(score, path)) continue;
      work += length + query.codes.length;
      if (!holdsAllButOne(chunk, i, query.codes) || !isVisible(path, privacy)) continue;
      best.offer({ path, name: fileNameOf(path), isDir: false, score });
    }
    if (work < workPerStep) continue;
    work = 0;
    yield;
  }
  return best.sorted();
}

/** Whether a text with the mask `held` lacks at least two characters of a query with the mask `wanted`. */
function lacksTwo(wanted: number, held: number): boolean {
  const lacking = wanted & ~held;
  return (lacking & (lacking - 1)) !== 0;
}

/**
 * Whether a name contains all but one of the characters in order. Matches as many as possible from the front, then the
 * others from the back, with one omitted between them.
 */
function holdsAllButOne({ symbols, nameStarts, ends }: PathChunk, i: number, codes: Uint32Array): boolean {
  const start = nameStarts[i] ?? 0;
  const end = ends[i] ?? 0;
  /** By number of matched characters, each as early as possible: the position after the match. */
  const after = [start];
  for (let at = start; at < end && after.length <= codes.length; at += 1) {
    if (((symbols[at] ?? 0) & codePointBits) === codes[after.length - 1]) after.push(at + 1);
  }
  let found = codes.length;
  let before = end;
  for (;;) {
    // All characters after number `found - 1` fit from `before` on; all characters before it must fit up to there.
    const earliest = after[found - 1];
    if (earliest !== undefined && earliest <= before) return true;
    if (found === 0) return false;
    let at = before - 1;
    while (at >= start && ((symbols[at] ?? 0) & codePointBits) !== codes[found - 1]) at -= 1;
    if (at < start) return false;
    before = at;
    found -= 1;
  }
}

function isVisible(path: WorkspacePath, { viewer, ownerByPath }: SearchPrivacy): boolean {
  let owner: string | null = null;
  if (ownerByPath.size > 0) {
    for (const each of [...foldersAbove(path), path]) owner = nearestOwner(ownerByPath, each, owner);
  }
  return isVisibleTo(path, owner, viewer);
}
