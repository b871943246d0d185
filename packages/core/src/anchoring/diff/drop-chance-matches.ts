import type { Tokens } from '../text/tokens.ts';
import { type Gap, type SequenceMatch, unmatched } from './sequence-match.ts';

interface Run {
  readonly left: number;
  readonly right: number;
  readonly count: number;
  readonly wordBytes: number;
}

/**
 * Unmatches single words between larger changes on both sides. Two unrelated statements may share an "of the", which
 * does not show where one of them went.
 */
export function dropChanceMatches(match: SequenceMatch, gap: Gap, left: Tokens, right: Tokens): void {
  const runs = matchedRuns(match, gap, left);
  for (const [i, run] of runs.entries()) {
    const before = runs[i - 1];
    const after = runs[i + 1];
    const leftFrom = before === undefined ? gap.leftStart : before.left + before.count;
    const rightFrom = before === undefined ? gap.rightStart : before.right + before.count;
    const changeBefore = changed(left, leftFrom, run.left, right, rightFrom, run.right);
    const changeAfter = changed(
      left,
      run.left + run.count,
      after?.left ?? gap.leftEnd,
      right,
      run.right + run.count,
      after?.right ?? gap.rightEnd,
    );
    if (changeBefore === 0 || changeAfter === 0) continue;
    if (run.wordBytes > changeBefore || run.wordBytes > changeAfter) continue;
    for (let k = 0; k < run.count; k += 1) {
      match.toRight[run.left + k] = unmatched;
      match.toLeft[run.right + k] = unmatched;
    }
  }
}

function matchedRuns(match: SequenceMatch, gap: Gap, left: Tokens): readonly Run[] {
  const runs: Run[] = [];
  for (let i = gap.leftStart; i < gap.leftEnd; ) {
    const right = match.toRight[i] ?? -1;
    if (right < 0) {
      i += 1;
      continue;
    }
    let count = 0;
    let wordBytes = 0;
    while (i + count < gap.leftEnd && match.toRight[i + count] === right + count) {
      wordBytes += left.wordBytes[i + count] ?? 0;
      count += 1;
    }
    runs.push({ left: i, right, count, wordBytes });
    i += count;
  }
  return runs;
}

function changed(
  left: Tokens,
  leftFrom: number,
  leftTo: number,
  right: Tokens,
  rightFrom: number,
  rightTo: number,
): number {
  return Math.max(wordBytesIn(left, leftFrom, leftTo), wordBytesIn(right, rightFrom, rightTo));
}

function wordBytesIn(tokens: Tokens, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += tokens.wordBytes[i] ?? 0;
  return sum;
}
