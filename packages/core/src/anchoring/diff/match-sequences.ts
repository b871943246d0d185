import { type IdCounts, matchUnique } from './match-unique.ts';
import {
  type Gap,
  matchShortest,
  type SequenceMatch,
  type StepBudget,
  trimGap,
  unknownMatch,
} from './sequence-match.ts';

/** Levels of recursion into the gaps between unique elements. Each level costs one pass over the gaps. */
const levelsMax = 16;

/**
 * Matches two sequences within a gap: common ends, then elements that are unique on both sides, then recursively
 * elements that are unique between those. A gap without unique elements uses the shortest edit script.
 * A gap of at most `shortestFirstMax` elements uses the shortest script at once. Tokens beyond the budget are marked
 * `unknownMatch`, which differs from deleted.
 */
export function matchSequences(
  match: SequenceMatch,
  whole: Gap,
  counts: IdCounts,
  budget: StepBudget,
  shortestFirstMax: number,
): void {
  let level: readonly Gap[] = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Gap[] = [];
    for (const untrimmed of level) {
      const gap = trimGap(match, untrimmed);
      const leftSize = gap.leftEnd - gap.leftStart;
      const rightSize = gap.rightEnd - gap.rightStart;
      if (leftSize === 0 || rightSize === 0) continue;
      if (leftSize + rightSize <= shortestFirstMax && matchShortest(match, gap, budget)) continue;
      const inner = depth < levelsMax ? matchUnique(match, gap, counts) : null;
      if (inner === null && !matchShortest(match, gap, budget)) giveUp(match, gap);
      for (const each of inner ?? []) next.push(each);
    }
    level = next;
  }
}

function giveUp(match: SequenceMatch, gap: Gap): void {
  match.toRight.fill(unknownMatch, gap.leftStart, gap.leftEnd);
  match.toLeft.fill(unknownMatch, gap.rightStart, gap.rightEnd);
}
