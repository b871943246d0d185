import { visibilityOf } from '../visibility.ts';
import { fileNameOf, placeholderName } from '../workspace-path.ts';
import {
  BestResults,
  type SearchPrivacy,
  type SearchResult,
  workPerPath,
  workPerStep,
} from './search-paths.ts';
import type { SearchQuery } from './search-query.ts';
import type { SearchedPath } from './searched-path.ts';

/** More than the units of any folded name. Shorter names score higher, because the query covers more of them. */
const worthMax = 4096;
/** Work for each position of a name that is compared. */
const workPerName = 4;

/**
 * Finds files whose name contains all but one of the query's characters in order, for a user who typed one character
 * too many or a wrong one. Shortest names first.
 *
 * Runs in steps like `searchPaths`.
 */
export function* searchSlips(
  files: readonly SearchedPath[],
  query: SearchQuery,
  { viewer, ownerByPath }: SearchPrivacy,
  limit: number,
): Generator<undefined, readonly SearchResult[], undefined> {
  const isSeen = visibilityOf(viewer, ownerByPath);
  const best = new BestResults(limit);
  let work = 0;
  for (const file of files) {
    const { path, folded, nameStart, mask } = file;
    work += workPerPath;
    // Visibility first, as in a search for paths.
    const mayHold = isSeen(file) && !lacksTwo(query.mask, mask) && fileNameOf(path) !== placeholderName;
    const score = Math.max(1, worthMax - (folded.length - nameStart));
    if (mayHold && score >= best.scoreMin(path)) {
      work += workPerName * (folded.length + query.characters.length);
      if (holdsAllButOne(folded.slice(nameStart), query)) best.offer(path, false, score);
    }
    if (work < workPerStep) continue;
    work = 0;
    yield;
  }
  return best.results;
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
function holdsAllButOne(name: string, { characters }: SearchQuery): boolean {
  /** By number of matched characters, each as early as possible: the position behind the match. */
  const after = [0];
  for (const { text } of characters) {
    const at = name.indexOf(text, after.at(-1));
    if (at === -1) break;
    after.push(at + text.length);
  }
  let before = name.length;
  for (let found = characters.length; ; found -= 1) {
    // All characters behind number `found - 1` fit from `before` on; all before it must fit up to there.
    const earliest = after[found - 1];
    if (earliest !== undefined && earliest <= before) return true;
    const text = characters[found - 1]?.text;
    if (text === undefined || before < text.length) return false;
    before = name.lastIndexOf(text, before - text.length);
    if (before < 0) return false;
  }
}
