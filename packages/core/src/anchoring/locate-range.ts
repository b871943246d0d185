import type { ByteRange } from './anchor.ts';
import { contextMaxBytes } from './anchoring-limits.ts';
import type { Alignment } from './diff/alignment.ts';
import { tokensTouched } from './diff/token-range.ts';
import { belongsElsewhere } from './places/belongs-elsewhere.ts';
import { type FoundPlace, foundPlace, noPlace } from './places/found-place.ts';
import { findJoinedPlace } from './places/joined-place.ts';
import { findOnKeptLine } from './places/kept-line.ts';
import { findMovedAndChanged } from './places/moved-and-changed.ts';
import { findMovedPlace } from './places/moved-place.ts';
import { findNeighbours } from './places/neighbours.ts';
import { findChangedInArea, findUnchangedInArea } from './places/place-in-area.ts';
import { findPlaceWithContexts } from './places/place-with-contexts.ts';
import { findPlaceWithoutDiff } from './places/place-without-diff.ts';
import { hasSameSurroundings } from './places/same-surroundings.ts';

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
export function locateRange(alignment: Alignment, range: ByteRange, withContexts: ByteRange): FoundPlace {
  const { pinned, content, prefixBytes, suffixBytes, tokens } = alignment;
  // Deep within a common end no diff is needed. Near the difference, equal text may be on both sides of it.
  const clear = 2 * contextMaxBytes;
  if (range.end + clear <= prefixBytes || prefixBytes === Math.max(pinned.length, content.length))
    return foundPlace(range);
  if (range.start - clear >= pinned.length - suffixBytes) {
    const shift = content.length - pinned.length;
    return foundPlace({ start: range.start + shift, end: range.end + shift });
  }
  if (tokens === null) return findPlaceWithoutDiff({ bytes: pinned, range, withContexts }, content);

  const isOurs = (place: ByteRange): boolean => !belongsElsewhere(pinned, range, content, place);
  const joined = findJoinedPlace(tokens, range, isOurs);
  if (joined.kind !== 'none') return joined;
  const onKeptLine = findOnKeptLine(tokens, range);
  if (onKeptLine.kind !== 'none') return onKeptLine;
  const withWhole = findPlaceWithContexts({ bytes: pinned, range, withContexts }, content);
  if (withWhole.kind !== 'none') return withWhole;
  const neighbours = findNeighbours(tokens, tokensTouched(tokens.pinned, range));
  if (neighbours.kind === 'unknown')
    return findPlaceWithoutDiff({ bytes: pinned, range, withContexts }, content);
  const between = neighbours.kind === 'both' ? neighbours : null;
  const recognised = (place: FoundPlace): FoundPlace => {
    if (place.kind !== 'found') return place;
    return hasSameSurroundings(pinned, range, content, place.range) && isOurs(place.range) ? place : noPlace;
  };
  for (const mode of ['exact', 'folded'] as const) {
    const inArea = between === null ? noPlace : recognised(findUnchangedInArea(tokens, range, between, mode));
    if (inArea.kind !== 'none') return inArea;
    const moved = findMovedPlace(alignment, range, mode);
    if (moved.kind !== 'none') return moved;
  }
  const changed = between === null ? noPlace : recognised(findChangedInArea(tokens, range, between));
  return changed.kind === 'none' ? findMovedAndChanged(alignment, tokens, range) : changed;
}
