import type { ByteRange } from '../anchor.ts';
import { areaMaxBytes, movedWordBytesMin, placesExaminedMax, similarityMin } from '../anchoring-limits.ts';
import type { Alignment, TokenAlignment } from '../diff/alignment.ts';
import { tokensTouched } from '../diff/token-range.ts';
import { similarity } from '../text/similarity.ts';
import type { Tokens } from '../text/tokens.ts';
import { wholeWords } from '../text/word-edges.ts';
import { wordBytesWithin } from './agreement.ts';
import { type FoundPlace, foundPlace, noPlace, severalPlaces } from './found-place.ts';
import { listPlaces } from './list-places.ts';
import { originOf } from './origin-of.ts';

/** Matches of one side's neighbours that are tried. Words that occur more often elsewhere do not point to this text. */
const placesMax = 8;
/** Words on each side that must have moved with the quote. */
const wordsMoved = 4;

/**
 * Finds a text that was moved and changed. Its neighbours, the nearest `wordsMoved` words on each side, are elsewhere,
 * around text that is at least `similarityMin` similar. Neighbours that were already there do not count.
 */
export function findMovedAndChanged(
  alignment: Alignment,
  tokens: TokenAlignment,
  range: ByteRange,
): FoundPlace {
  const { pinned, content } = alignment;
  const before = wordsBefore(tokens.pinned, range);
  const after = wordsAfter(tokens.pinned, range);
  if (before === null || after === null) return noPlace;
  if (wordBytesWithin(pinned, before) + wordBytesWithin(pinned, after) < movedWordBytesMin) return noPlace;
  const isNew = (then: ByteRange) => (place: ByteRange) => originOf(tokens, then, place) === 'new';
  const placesOf = (then: ByteRange): readonly ByteRange[] =>
    listPlaces(content, pinned.subarray(then.start, then.end), 'folded', placesExaminedMax).filter(
      isNew(then),
    );
  const starts = placesOf(before);
  const ends = placesOf(after);
  if (Math.max(starts.length, ends.length) > placesMax) return noPlace;
  const found: ByteRange[] = [];
  for (const { end: start } of starts) {
    const end = ends.find((place) => place.start > start)?.start;
    if (end === undefined || end - start > areaMaxBytes) continue;
    const place = wholeWords(content, { start, end });
    if (similarity(pinned, wholeWords(pinned, range), content, place, similarityMin) > 0) found.push(place);
  }
  const [only] = found;
  if (only === undefined) return noPlace;
  return found.length > 1 ? severalPlaces : foundPlace(only);
}

function wordsBefore(tokens: Tokens, range: ByteRange): ByteRange | null {
  const { first } = tokensTouched(tokens, range);
  let at = first;
  for (let words = 0; words < wordsMoved; words += (tokens.wordBytes[at] ?? 0) > 0 ? 1 : 0) {
    if (at === 0) return null;
    at -= 1;
  }
  return { start: tokens.starts[at] ?? 0, end: Math.min(range.start, tokens.ends[first - 1] ?? 0) };
}

function wordsAfter(tokens: Tokens, range: ByteRange): ByteRange | null {
  const { end } = tokensTouched(tokens, range);
  let at = end - 1;
  for (let words = 0; words < wordsMoved; words += (tokens.wordBytes[at] ?? 0) > 0 ? 1 : 0) {
    if (at + 1 >= tokens.count) return null;
    at += 1;
  }
  return { start: Math.max(range.end, tokens.starts[end] ?? 0), end: tokens.ends[at] ?? 0 };
}
