import type { ByteRange } from './anchor.ts';
import { contextMaxBytes } from './anchoring-limits.ts';
import type { Alignment } from './diff/alignment.ts';
import { tokensTouched } from './diff/token-range.ts';
import { belongsElsewhere } from './matches/belongs-elsewhere.ts';
import { type FoundMatch, foundMatch, noMatch } from './matches/found-match.ts';
import { findJoinedMatch } from './matches/joined-match.ts';
import { findOnKeptLine } from './matches/kept-line.ts';
import { findChangedInArea, findUnchangedInArea } from './matches/match-in-area.ts';
import { findMatchWithContexts } from './matches/match-with-contexts.ts';
import { findMatchWithoutDiff } from './matches/match-without-diff.ts';
import { findMovedAndChanged } from './matches/moved-and-changed.ts';
import { findMovedMatch } from './matches/moved-match.ts';
import { findNeighbours } from './matches/neighbours.ts';
import { hasSameContext } from './matches/same-context.ts';

/**
 * Finds a range of the pinned content in the current one. The first step that decides wins:
 *
 * - Unchanged and joined to kept text.
 * - On a kept line.
 * - With both contexts whole.
 * - Unchanged between surviving neighbours, then unchanged and moved. Both are tried byte for byte, then with white
 *   space folded.
 * - Changed between surviving neighbours.
 * - Changed between neighbours that moved with it.
 *
 * @param withContexts the range with its stored contexts.
 */
export function locateRange(alignment: Alignment, range: ByteRange, withContexts: ByteRange): FoundMatch {
  const { pinned, content, prefixBytes, suffixBytes, tokens } = alignment;
  // Deep within a common end no diff is needed. Near the difference, equal text may be on both sides of it.
  const clear = 2 * contextMaxBytes;
  if (range.end + clear <= prefixBytes || prefixBytes === Math.max(pinned.length, content.length))
    return foundMatch(range);
  if (range.start - clear >= pinned.length - suffixBytes) {
    const shift = content.length - pinned.length;
    return foundMatch({ start: range.start + shift, end: range.end + shift });
  }
  if (tokens === null) return findMatchWithoutDiff({ bytes: pinned, range, withContexts }, content);

  const isOurs = (match: ByteRange): boolean => !belongsElsewhere(pinned, range, content, match);
  const joined = findJoinedMatch(tokens, range, isOurs);
  if (joined.kind !== 'none') return joined;
  const onKeptLine = findOnKeptLine(tokens, range);
  if (onKeptLine.kind !== 'none') return onKeptLine;
  const withWhole = findMatchWithContexts({ bytes: pinned, range, withContexts }, content);
  if (withWhole.kind !== 'none') return withWhole;
  const neighbours = findNeighbours(tokens, tokensTouched(tokens.pinned, range));
  if (neighbours.kind === 'unknown')
    return findMatchWithoutDiff({ bytes: pinned, range, withContexts }, content);
  const between = neighbours.kind === 'both' ? neighbours : null;
  const recognised = (match: FoundMatch): FoundMatch => {
    if (match.kind !== 'found') return match;
    return hasSameContext(pinned, range, content, match.range) && isOurs(match.range) ? match : noMatch;
  };
  for (const mode of ['exact', 'folded'] as const) {
    const inArea = between === null ? noMatch : recognised(findUnchangedInArea(tokens, range, between, mode));
    if (inArea.kind !== 'none') return inArea;
    const moved = findMovedMatch(alignment, range, mode);
    if (moved.kind !== 'none') return moved;
  }
  const changed = between === null ? noMatch : recognised(findChangedInArea(tokens, range, between));
  return changed.kind === 'none' ? findMovedAndChanged(alignment, tokens, range) : changed;
}
