import type { ByteRange } from '../anchor.ts';
import { matchesExaminedMax, movedWordBytesMin } from '../anchoring-limits.ts';
import { agreementOf, outdoes, sumOf, wordBytesWithin } from './agreement.ts';
import { type FoundMatch, foundMatch, noMatch, severalMatches } from './found-match.ts';
import { firstMatches } from './list-matches.ts';

/** A pinned text with as much of the text around it as is known. */
export interface KnownText {
  readonly bytes: Uint8Array;
  readonly range: ByteRange;
  /** The thread's stored contexts as a range around `range`; bytes. */
  readonly withContexts: ByteRange;
}

/**
 * Finds a text without a diff, because the pinned bytes are gone or the differing part is too large. One match of the
 * quote with both contexts whole is enough.
 * Otherwise one match of the quote must be the only one, or fit better than all others. It must also be recognised by
 * shared words: a word on each side, or `movedWordBytesMin` bytes of words together.
 */
export function findMatchWithoutDiff(known: KnownText, content: Uint8Array): FoundMatch {
  const { bytes, range, withContexts } = known;
  if (withContexts.end - withContexts.start > range.end - range.start) {
    const whole = firstMatches(content, bytes.subarray(withContexts.start, withContexts.end), 'exact', 2);
    const [only] = whole;
    if (only !== undefined && whole.length === 1) {
      const start = only.start + range.start - withContexts.start;
      return foundMatch({ start, end: start + range.end - range.start });
    }
  }
  for (const mode of ['exact', 'folded'] as const) {
    const matches = firstMatches(
      content,
      bytes.subarray(range.start, range.end),
      mode,
      matchesExaminedMax + 1,
    );
    if (matches.length > matchesExaminedMax) return severalMatches;
    if (matches.length > 0) return mostRecognised(known, content, matches);
  }
  return noMatch;
}

function mostRecognised(known: KnownText, content: Uint8Array, matches: readonly ByteRange[]): FoundMatch {
  const quoteWords = wordBytesWithin(known.bytes, known.range);
  const rated = matches.map((range) => ({
    range,
    agreement: agreementOf(known.bytes, known.range, content, range),
  }));
  for (const { range, agreement } of rated) {
    if (!rated.every((other) => other.range === range || outdoes(agreement, other.agreement))) continue;
    const isRecognised =
      (agreement.before > 0 && agreement.after > 0) || quoteWords + sumOf(agreement) >= movedWordBytesMin;
    return isRecognised ? foundMatch(range) : noMatch;
  }
  return severalMatches;
}
