import type { ByteRange } from '../anchor.ts';
import { areaMaxBytes, matchesExaminedMax, movedWordBytesMin, similarityMin } from '../anchoring-limits.ts';
import type { Alignment, TokenAlignment } from '../diff/alignment.ts';
import { tokensTouched } from '../diff/token-range.ts';
import { similarity } from '../text/similarity.ts';
import type { Tokens } from '../text/tokens.ts';
import { wholeWords } from '../text/word-edges.ts';
import { wordBytesWithin } from './agreement.ts';
import { type FoundMatch, foundMatch, noMatch, severalMatches } from './found-match.ts';
import { firstMatches } from './list-matches.ts';
import { originOf } from './origin-of.ts';

/** Matches of one side's neighbours that are tried. Words that occur more often elsewhere do not point to this text. */
const matchesMax = 8;
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
): FoundMatch {
  const { pinned, content } = alignment;
  const before = wordsBefore(tokens.pinned, range);
  const after = wordsAfter(tokens.pinned, range);
  if (before === null || after === null) return noMatch;
  if (wordBytesWithin(pinned, before) + wordBytesWithin(pinned, after) < movedWordBytesMin) return noMatch;
  const isNew = (then: ByteRange) => (match: ByteRange) => originOf(tokens, then, match) === 'new';
  const matchesOf = (then: ByteRange): readonly ByteRange[] =>
    firstMatches(content, pinned.subarray(then.start, then.end), 'folded', matchesExaminedMax).filter(
      isNew(then),
    );
  const starts = matchesOf(before);
  const ends = matchesOf(after);
  if (Math.max(starts.length, ends.length) > matchesMax) return noMatch;
  const found: ByteRange[] = [];
  for (const { end: start } of starts) {
    const end = ends.find((match) => match.start > start)?.start;
    if (end === undefined || end - start > areaMaxBytes) continue;
    const words = wholeWords(content, { start, end });
    if (similarity(pinned, wholeWords(pinned, range), content, words, similarityMin) > 0) found.push(words);
  }
  const [only] = found;
  if (only === undefined) return noMatch;
  return found.length > 1 ? severalMatches : foundMatch(only);
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
