import type { ByteRange } from '../anchor.ts';
import { matchSimilarityMin, movedWordBytesMin, nearbyMaxBytes } from '../anchoring-limits.ts';
import { similarity } from '../text/similarity.ts';
import { kindAt } from '../text/tokens.ts';
import { spaceEnd } from '../text/white-space.ts';
import { wordBytesWithin } from './agreement.ts';

/** Bytes of one side, old and new together. Less is too little to recognise text by. */
const sideBytesMin = 16;

/**
 * True if a short quote's match is still recognised by its context: its list item or table row, or its paragraph,
 * without the quote itself. One side is enough. A short quote may occur by chance in text that replaced it; a long one
 * does not.
 */
export function hasSameContext(
  pinned: Uint8Array,
  range: ByteRange,
  content: Uint8Array,
  match: ByteRange,
): boolean {
  if (wordBytesWithin(pinned, range) >= movedWordBytesMin) return true;
  const then = contextOf(pinned, range);
  const now = contextOf(content, match);
  const sides = [
    { a: { start: then.start, end: range.start }, b: { start: now.start, end: match.start } },
    { a: { start: range.end, end: then.end }, b: { start: match.end, end: now.end } },
  ];
  let alike = 0;
  let size = 0;
  for (const { a, b } of sides) {
    const bytes = a.end - a.start + b.end - b.start;
    const side = similarity(pinned, a, content, b, 0);
    if (bytes >= sideBytesMin && side >= matchSimilarityMin) return true;
    alike += bytes * side;
    size += bytes;
  }
  return alike >= matchSimilarityMin * size;
}

/** Returns the line of a list or table, or the lines of a paragraph, at most `nearbyMaxBytes` to each side. */
function contextOf(bytes: Uint8Array, range: ByteRange): ByteRange {
  const least = Math.max(0, range.start - nearbyMaxBytes);
  const most = Math.min(bytes.length, range.end + nearbyMaxBytes);
  let start = lineStart(bytes, range.start, least);
  let end = lineEnd(bytes, range.end, most);
  while (start > least && isProse(bytes, start) && isProse(bytes, lineStart(bytes, start - 1, least))) {
    start = lineStart(bytes, start - 1, least);
  }
  while (end < most && isProse(bytes, lineStart(bytes, end, least)) && isProse(bytes, end + 1)) {
    end = lineEnd(bytes, end + 1, most);
  }
  return { start, end };
}

function lineStart(bytes: Uint8Array, at: number, least: number): number {
  let start = at;
  while (start > least && bytes[start - 1] !== 0x0a) start -= 1;
  return start;
}

function lineEnd(bytes: Uint8Array, at: number, most: number): number {
  let end = at;
  while (end < most && bytes[end] !== 0x0a) end += 1;
  return end;
}

/** True for a line that begins with a letter: not blank, and not a list entry, table row or heading. */
function isProse(bytes: Uint8Array, start: number): boolean {
  if (start >= bytes.length) return false;
  const at = spaceEnd(bytes, start, Math.min(bytes.length, start + nearbyMaxBytes));
  const byte = bytes[at] ?? 0;
  const isOnLine = !bytes.subarray(start, at).includes(0x0a);
  return isOnLine && (byte < 0x30 || byte > 0x39) && kindAt(bytes, at) !== 'mark';
}
