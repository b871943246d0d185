import type { ByteRange } from '../anchor.ts';
import { type Tokens, tokenAfter, tokenFrom } from '../text/tokens.ts';
import { isInsideCharacter } from '../text/utf8.ts';
import type { TokenAlignment } from './alignment.ts';

type BothTokens = Pick<TokenAlignment, 'pinned' | 'current'>;

/** Tokens from `first` up to, but not including, `end`. Empty for a range of white space only. */
export interface TokenRange {
  readonly first: number;
  readonly end: number;
}

/** Returns the tokens that a range of bytes touches. */
export function tokensTouched(tokens: Tokens, range: ByteRange): TokenRange {
  const first = tokenAfter(tokens, range.start);
  return { first, end: Math.max(first, tokenFrom(tokens, range.end)) };
}

/**
 * Returns the current bytes of a range whose tokens are now `shift` tokens further on. Ends within a token stay within
 * it. Ends within white space keep their distance to the text they touch, as far as the new white space allows.
 */
export function shiftedRange(
  alignment: TokenAlignment,
  touched: TokenRange,
  range: ByteRange,
  shift: number,
): ByteRange {
  const start = shiftedStart(alignment, touched.first, range.start, shift);
  return { start, end: Math.max(start, shiftedEnd(alignment, touched.end, range.end, shift)) };
}

function shiftedStart({ pinned, current }: BothTokens, first: number, at: number, shift: number): number {
  const pinnedStart = pinned.starts[first];
  // No token follows: a position at the file's end stays behind its last word.
  if (pinnedStart === undefined) return shiftedEnd({ pinned, current }, first, at, shift);
  const currentStart = current.starts[first + shift] ?? current.bytes.length;
  if (at >= pinnedStart) return currentStart + (at - pinnedStart);
  const gapStart = first + shift > 0 ? (current.ends[first + shift - 1] ?? 0) : 0;
  if (first > 0 && at === pinned.ends[first - 1]) return gapStart;
  let start = Math.max(gapStart, currentStart - (pinnedStart - at));
  while (isInsideCharacter(current.bytes, start)) start -= 1;
  return start;
}

function shiftedEnd({ pinned, current }: BothTokens, end: number, at: number, shift: number): number {
  const pinnedEnd = end > 0 ? (pinned.ends[end - 1] ?? 0) : 0;
  const currentEnd = end + shift > 0 ? (current.ends[end + shift - 1] ?? 0) : 0;
  if (at <= pinnedEnd) return currentEnd - (pinnedEnd - at);
  const gapEnd = current.starts[end + shift] ?? current.bytes.length;
  if (at === pinned.starts[end]) return gapEnd;
  let to = Math.min(gapEnd, currentEnd + (at - pinnedEnd));
  while (isInsideCharacter(current.bytes, to)) to += 1;
  return to;
}
