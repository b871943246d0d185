import type { ByteRange } from '../anchor.ts';
import { matchesExaminedMax, movedWordBytesMin, reorderedLineWordBytesMin } from '../anchoring-limits.ts';
import type { Alignment } from '../diff/alignment.ts';
import type { MatchMode } from '../text/visit-matches.ts';
import { type Agreement, agreementOf, outdoes, sumOf, wordBytesWithin } from './agreement.ts';
import { type FoundMatch, foundMatch, noMatch, severalMatches } from './found-match.ts';
import { firstMatches } from './list-matches.ts';
import { originOf } from './origin-of.ts';
import { isReorderedLine } from './reordered-line.ts';

interface Candidate {
  readonly range: ByteRange;
  readonly agreement: Agreement;
}

/**
 * Finds the pinned text elsewhere. Three checks exclude a look-alike:
 * - It is new there. A match that the diff keeps from other pinned text is that text.
 * - It is long enough. Quote and shared context together need `movedWordBytesMin` bytes of words. Less is enough only
 *   for a whole line that moved within its block.
 * - No other text fits better. If the context of another equal pinned text agrees with it at least as well, it does not
 *   count.
 */
export function findMovedMatch(alignment: Alignment, range: ByteRange, mode: MatchMode): FoundMatch {
  const { pinned, content, tokens } = alignment;
  if (tokens === null) return noMatch;
  const quote = pinned.subarray(range.start, range.end);
  const matches = firstMatches(content, quote, mode, matchesExaminedMax + 1);
  const others = firstMatches(pinned, quote, mode, matchesExaminedMax + 1).filter(
    ({ start }) => start !== range.start,
  );
  // Too many to tell apart one by one: text this common is recognised at its old position, or not at all.
  if (Math.max(matches.length, others.length) > matchesExaminedMax) return noMatch;
  const quoteWords = wordBytesWithin(pinned, range);
  const candidates: Candidate[] = [];
  let isContested = false;
  for (const match of matches) {
    const origin = originOf(tokens, range, match);
    if (origin === 'kept') continue;
    const agreement = agreementOf(pinned, range, content, match);
    const shared = quoteWords + sumOf(agreement);
    const isEnough =
      shared >= movedWordBytesMin ||
      (shared >= reorderedLineWordBytesMin && isReorderedLine(tokens, range, match));
    if (!isEnough) continue;
    const rivals = others.map((other) => agreementOf(pinned, other, content, match));
    if (rivals.some((rival) => sumOf(rival) > sumOf(agreement))) continue;
    // Text that the diff matched with other text counts only if it fits better on both sides than any other.
    if (origin === 'reworked' && !rivals.every((rival) => outdoes(agreement, rival))) continue;
    if (rivals.some((rival) => sumOf(rival) === sumOf(agreement))) isContested = true;
    else candidates.push({ range: match, agreement });
  }
  return isContested ? severalMatches : fullestAgreement(candidates);
}

function fullestAgreement(candidates: readonly Candidate[]): FoundMatch {
  const [first] = candidates;
  if (first === undefined) return noMatch;
  for (const candidate of candidates) {
    const leads = candidates.every(
      (other) => other === candidate || outdoes(candidate.agreement, other.agreement),
    );
    if (leads) return foundMatch(candidate.range);
  }
  return severalMatches;
}
