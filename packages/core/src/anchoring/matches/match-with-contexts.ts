import { movedWordBytesMin } from '../anchoring-limits.ts';
import { wordBytesWithin } from './agreement.ts';
import { type FoundMatch, foundMatch, noMatch } from './found-match.ts';
import { firstMatches } from './list-matches.ts';
import type { KnownText } from './match-without-diff.ts';

/**
 * Finds the text with both its contexts whole, byte for byte. If it is long enough (`movedWordBytesMin`) and unique in
 * both versions, it counts wherever it moved.
 */
export function findMatchWithContexts(
  { bytes, range, withContexts }: KnownText,
  content: Uint8Array,
): FoundMatch {
  if (wordBytesWithin(bytes, withContexts) < movedWordBytesMin) return noMatch;
  const whole = bytes.subarray(withContexts.start, withContexts.end);
  const [now, ...others] = firstMatches(content, whole, 'exact', 2);
  if (now === undefined || others.length > 0 || firstMatches(bytes, whole, 'exact', 2).length > 1)
    return noMatch;
  const start = now.start + range.start - withContexts.start;
  return foundMatch({ start, end: start + range.end - range.start });
}
