import { diffSequences } from '../../merge/diff-sequences.ts';
import type { StepBudget } from '../../merge/side.ts';
import { type Gap, pair, type SequenceMatch, unknownMatch, unmatched } from './sequence-match.ts';

/**
 * Pairs the elements of a gap, with the fewest deletions and insertions. Once the budget is spent, elements without a
 * partner are marked `unknownMatch`, which differs from deleted.
 */
export function matchSequences(match: SequenceMatch, gap: Gap, budget: StepBudget): void {
  const { leftStart, leftEnd, rightStart, rightEnd } = gap;
  // Numbered within the gap, so that the time for many small gaps is linear in their sizes.
  const numbers = new Map<number, number>();
  const numbered = (ids: Int32Array): Int32Array =>
    ids.map((id) => {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      return number;
    });
  const left = numbered(match.left.subarray(leftStart, leftEnd));
  const right = numbered(match.right.subarray(rightStart, rightEnd));
  let [leftAt, rightAt] = [leftStart, rightStart];
  const pairUntil = (end: number): void => {
    for (; leftAt < end; leftAt += 1, rightAt += 1) pair(match, leftAt, rightAt);
  };
  for (const { baseStart, baseEnd, sideEnd } of diffSequences(left, right, numbers.size, budget)) {
    pairUntil(leftStart + baseStart);
    leftAt = leftStart + baseEnd;
    rightAt = rightStart + sideEnd;
  }
  pairUntil(leftEnd);
  if (budget.left > 0) return;
  markUnknown(match.toRight.subarray(leftStart, leftEnd));
  markUnknown(match.toLeft.subarray(rightStart, rightEnd));
}

function markUnknown(partners: Int32Array): void {
  for (const [at, partner] of partners.entries()) if (partner === unmatched) partners[at] = unknownMatch;
}
