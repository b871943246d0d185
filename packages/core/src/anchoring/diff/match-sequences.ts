import { type IdCounts, matchUnique } from './match-unique.ts';
import {
  type Gap,
  matchShortest,
  type SequenceMatch,
  type StepBudget,
  trimGap,
  unknownMatch,
} from './sequence-match.ts';

/** Levels of unique elements within the gaps between unique elements. Each costs one pass over the gaps. */
const levelsMax = 16;

/**
 * Matches two sequences within a gap: common ends, then what is unique on both sides, then what is unique between
 * those, and so on; where nothing is, the shortest edit script. A gap of at most `shortestFirstMax` elements takes the
 * shortest script at once. Tokens beyond the budget are marked `unknownMatch`, which is not the same as deleted.
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
