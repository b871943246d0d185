import type { ByteRange } from '../anchor.ts';
import { contextMaxBytes } from '../anchoring-limits.ts';
import { kindAt } from '../text/tokens.ts';
import { characterLength } from '../text/utf8.ts';
import { spaceEnd, spaceStart } from '../text/white-space.ts';
import { isInsideWord } from '../text/word-edges.ts';

/** The beginning and the end of the file are worth as much as a word. */
const edgeWordBytes = 8;

/** Bytes of words that the text around two ranges shares without interruption. White space of any kind is equal. */
export interface Agreement {
  readonly before: number;
  readonly after: number;
}

/** Measures how far the text around two ranges agrees, at most `contextMaxBytes` on each side. */
export function agreementOf(a: Uint8Array, aRange: ByteRange, b: Uint8Array, bRange: ByteRange): Agreement {
  return {
    before: agreeBefore(a, aRange.start, b, bRange.start),
    after: agreeAfter(a, aRange.end, b, bRange.end),
  };
}

export function sumOf({ before, after }: Agreement): number {
  return before + after;
}

/** At least as good on both sides, and better on one. */
export function outdoes(a: Agreement, b: Agreement): boolean {
  return a.before >= b.before && a.after >= b.after && sumOf(a) > sumOf(b);
}

function agreeBefore(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number): number {
  const aLeast = Math.max(0, aStart - contextMaxBytes);
  const bLeast = Math.max(0, bStart - contextMaxBytes);
  let i = aStart;
  let j = bStart;
  let words = 0;
  let whole = 0;
  for (;;) {
    // A word counts if it begins at the same letter in both: half a word in common is chance.
    if (!isInsideWord(a, i) && !isInsideWord(b, j)) whole = words;
    if (i <= aLeast || j <= bLeast) return i === 0 && j === 0 ? whole + edgeWordBytes : whole;
    const aSpaces = spaceStart(a, i, aLeast);
    const bSpaces = spaceStart(b, j, bLeast);
    if (aSpaces < i && bSpaces < j) {
      i = aSpaces;
      j = bSpaces;
      continue;
    }
    if (aSpaces < i || bSpaces < j || a[i - 1] !== b[j - 1]) return whole;
    i -= 1;
    j -= 1;
    words += wordBytesAt(a, i);
  }
}

function agreeAfter(a: Uint8Array, aEnd: number, b: Uint8Array, bEnd: number): number {
  const aMost = Math.min(a.length, aEnd + contextMaxBytes);
  const bMost = Math.min(b.length, bEnd + contextMaxBytes);
  let i = aEnd;
  let j = bEnd;
  let words = 0;
  let whole = 0;
  for (;;) {
    if (!isInsideWord(a, i) && !isInsideWord(b, j)) whole = words;
    if (i >= aMost || j >= bMost) return i === a.length && j === b.length ? whole + edgeWordBytes : whole;
    const aSpaces = spaceEnd(a, i, aMost);
    const bSpaces = spaceEnd(b, j, bMost);
    if (aSpaces > i && bSpaces > j) {
      i = aSpaces;
      j = bSpaces;
      continue;
    }
    if (aSpaces > i || bSpaces > j || a[i] !== b[j]) return whole;
    words += wordBytesAt(a, i);
    i += 1;
    j += 1;
  }
}

/** Counts bytes of words within a range. */
export function wordBytesWithin(bytes: Uint8Array, range: ByteRange): number {
  let words = 0;
  for (let at = range.start; at < range.end; at += 1) words += wordBytesAt(bytes, at);
  return words;
}

/** Returns all bytes of the word character that begins at `at`; 0 for a mark or within a character. */
function wordBytesAt(bytes: Uint8Array, at: number): number {
  if (((bytes[at] ?? 0) & 0xc0) === 0x80) return 0;
  return kindAt(bytes, at) === 'mark' ? 0 : characterLength(bytes, at);
}
