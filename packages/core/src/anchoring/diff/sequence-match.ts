import { diffDistanceMax } from '../anchoring-limits.ts';

/** No partner: deleted or inserted. */
export const unmatched = -1;
/** Not known, because the diff gave up first. */
export const unknownMatch = -2;

/** Two sequences of ids, and the pairs of matching elements, in order. */
export interface SequenceMatch {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly toRight: Int32Array;
  readonly toLeft: Int32Array;
}

/** Remaining steps, shared by all gaps of one alignment, so that many small gaps cost no more than one large one. */
export interface StepBudget {
  left: number;
}

export function createSequenceMatch(left: Int32Array, right: Int32Array): SequenceMatch {
  return {
    left,
    right,
    toRight: new Int32Array(left.length).fill(unmatched),
    toLeft: new Int32Array(right.length).fill(unmatched),
  };
}

export interface Gap {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

export function pair(match: SequenceMatch, left: number, right: number): void {
  match.toRight[left] = right;
  match.toLeft[right] = left;
}

/** Pairs the common elements at the two ends of a gap. @returns the remaining gap */
export function trimGap(match: SequenceMatch, gap: Gap): Gap {
  let { leftStart, leftEnd, rightStart, rightEnd } = gap;
  while (leftStart < leftEnd && rightStart < rightEnd && match.left[leftStart] === match.right[rightStart]) {
    pair(match, leftStart, rightStart);
    leftStart += 1;
    rightStart += 1;
  }
  while (
    leftStart < leftEnd &&
    rightStart < rightEnd &&
    match.left[leftEnd - 1] === match.right[rightEnd - 1]
  ) {
    leftEnd -= 1;
    rightEnd -= 1;
    pair(match, leftEnd, rightEnd);
  }
  return { leftStart, leftEnd, rightStart, rightEnd };
}

/**
 * Myers' greedy algorithm on one gap: the fewest deletions and insertions. `diffDistanceMax` and the budget bound
 * memory and time.
 * @returns false if it gave up; then it has paired no element of the gap
 */
export function matchShortest(match: SequenceMatch, gap: Gap, budget: StepBudget): boolean {
  const { left, right } = match;
  const { leftStart, rightStart } = gap;
  const leftSize = gap.leftEnd - leftStart;
  const rightSize = gap.rightEnd - rightStart;
  const most = Math.min(leftSize + rightSize, diffDistanceMax);
  const reach = new Int32Array(2 * most + 3);
  const origin = most + 1;
  const trace: Int32Array[] = [];
  for (let distance = 0; distance <= most; distance += 1) {
    trace.push(reach.slice(origin - distance - 1, origin + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const down = reach[origin + diagonal + 1] ?? 0;
      const across = (reach[origin + diagonal - 1] ?? 0) + 1;
      let x = diagonal === -distance || (diagonal !== distance && across <= down) ? down : across;
      let y = x - diagonal;
      const begun = x;
      while (x < leftSize && y < rightSize && left[leftStart + x] === right[rightStart + y]) {
        x += 1;
        y += 1;
      }
      budget.left -= 1 + x - begun;
      reach[origin + diagonal] = x;
      if (x >= leftSize && y >= rightSize) {
        pairBack(match, gap, trace, distance);
        return true;
      }
    }
    if (budget.left <= 0) return false;
  }
  return false;
}

function pairBack(match: SequenceMatch, gap: Gap, trace: readonly Int32Array[], found: number): void {
  let x = gap.leftEnd - gap.leftStart;
  let y = gap.rightEnd - gap.rightStart;
  for (let distance = found; distance >= 0; distance -= 1) {
    const reach = trace[distance];
    const at = (diagonal: number): number => reach?.[distance + 1 + diagonal] ?? 0;
    const diagonal = x - y;
    const isDown =
      diagonal === -distance || (diagonal !== distance && at(diagonal - 1) + 1 <= at(diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const beforeX = distance === 0 ? 0 : at(before);
    const beforeY = distance === 0 ? 0 : beforeX - before;
    const snakeX = distance === 0 ? 0 : isDown ? beforeX : beforeX + 1;
    while (x > snakeX) {
      x -= 1;
      y -= 1;
      pair(match, gap.leftStart + x, gap.rightStart + y);
    }
    x = beforeX;
    y = beforeY;
  }
}
