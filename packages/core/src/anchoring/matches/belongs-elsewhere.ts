import type { ByteRange } from '../anchor.ts';
import { matchesExaminedMax } from '../anchoring-limits.ts';
import { agreementOf, outdoes } from './agreement.ts';
import { firstMatches } from './list-matches.ts';

/** Word bytes in common on both sides that are certain evidence. */
const certainWordBytes = 32;

/**
 * True if the text at `place` is more likely another pinned text than the one at `range`. Then that text has the same
 * words, and its context fits better on both sides. So an entry pasted over a deleted one does not inherit its
 * comments, however similar the two are.
 */
export function belongsElsewhere(
  pinned: Uint8Array,
  range: ByteRange,
  content: Uint8Array,
  match: ByteRange,
): boolean {
  const ours = agreementOf(pinned, range, content, match);
  if (Math.min(ours.before, ours.after) >= certainWordBytes) return false;
  const text = content.subarray(match.start, match.end);
  const others = firstMatches(pinned, text, 'exact', matchesExaminedMax + 1);
  if (others.length > matchesExaminedMax) return false;
  return others.some((other) => {
    if (other.start < range.end && range.start < other.end) return false;
    return outdoes(agreementOf(pinned, other, content, match), ours);
  });
}
