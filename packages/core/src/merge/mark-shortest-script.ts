import { rootOf } from './drop-common-elements.ts';
import { mergeDistanceMin } from './merge-limits.ts';
import type { Side, StepBudget } from './side.ts';

/** A part of both sequences, from the start up to, but not including, the end. */
interface Box {
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightStart: number;
  readonly rightEnd: number;
}

/** By diagonal (left minus right): how far along the left side a path from either end has come. */
interface Frontier {
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Index of diagonal 0. */
  readonly origin: number;
  readonly distanceMax: number;
}

const beyondAll = 0x7fff_ffff;

/**
 * Marks the fewest elements as changed so that the remaining candidates of both sides are equal. The algorithm is
 * Myers' ("An O(ND) difference algorithm", 1986) in linear space: paths from both ends until they meet, then the two
 * halves. When the budget is spent, all remaining elements count as changed: a coarser but still correct difference.
 */
export function markShortestScript(
  leftSide: Side,
  leftIndexes: Int32Array,
  rightSide: Side,
  rightIndexes: Int32Array,
  budget: StepBudget,
): void {
  const left = leftIndexes.map((index) => leftSide.ids[index] ?? 0);
  const right = rightIndexes.map((index) => rightSide.ids[index] ?? 0);
  const size = left.length + right.length + 3;
  const frontier: Frontier = {
    forward: new Int32Array(size),
    backward: new Int32Array(size),
    origin: right.length + 1,
    distanceMax: Math.max(mergeDistanceMin, rootOf(size)),
  };
  const boxes: Box[] = [{ leftStart: 0, leftEnd: left.length, rightStart: 0, rightEnd: right.length }];
  for (let next = boxes.pop(); next !== undefined; next = boxes.pop()) {
    const box = trimBox(left, right, next, budget);
    const isSplit = box.leftStart < box.leftEnd && box.rightStart < box.rightEnd;
    const split = isSplit ? splitBox(left, right, box, frontier, budget) : null;
    if (split === null) {
      for (let i = box.leftStart; i < box.leftEnd; i += 1) leftSide.changed[leftIndexes[i] ?? 0] = 1;
      for (let i = box.rightStart; i < box.rightEnd; i += 1) rightSide.changed[rightIndexes[i] ?? 0] = 1;
      continue;
    }
    const [leftAt, rightAt] = split;
    boxes.push({ ...box, leftStart: leftAt, rightStart: rightAt });
    boxes.push({ ...box, leftEnd: leftAt, rightEnd: rightAt });
  }
}

function trimBox(left: Int32Array, right: Int32Array, box: Box, budget: StepBudget): Box {
  let { leftStart, leftEnd, rightStart, rightEnd } = box;
  while (leftStart < leftEnd && rightStart < rightEnd && left[leftStart] === right[rightStart]) {
    leftStart += 1;
    rightStart += 1;
  }
  while (leftStart < leftEnd && rightStart < rightEnd && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  budget.left -= 1 + leftStart - box.leftStart + box.leftEnd - leftEnd;
  return { leftStart, leftEnd, rightStart, rightEnd };
}

/**
 * Returns a point on a shortest path through the box. If the search takes too long, the farthest point that a path from
 * either end has reached.
 * @returns null when the budget is spent.
 */
function splitBox(
  left: Int32Array,
  right: Int32Array,
  box: Box,
  { forward, backward, origin, distanceMax }: Frontier,
  budget: StepBudget,
): readonly [left: number, right: number] | null {
  const { leftStart, leftEnd, rightStart, rightEnd } = box;
  const lowest = leftStart - rightEnd;
  const highest = leftEnd - rightStart;
  const first = leftStart - rightStart;
  const last = leftEnd - rightEnd;
  const isOdd = ((first - last) & 1) !== 0;
  let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [first, first, last, last];
  forward[origin + first] = leftStart;
  backward[origin + last] = leftEnd;
  for (let distance = 1; ; distance += 1) {
    if (budget.left <= 0) return null;
    forwardLow = forwardLow > lowest ? opened(forward, origin, forwardLow - 1, -1, -1) : forwardLow + 1;
    forwardHigh = forwardHigh < highest ? opened(forward, origin, forwardHigh + 1, 1, -1) : forwardHigh - 1;
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const across = forward[origin + diagonal - 1] ?? 0;
      const down = forward[origin + diagonal + 1] ?? 0;
      const begun = across >= down ? across + 1 : down;
      let at = begun;
      while (at < leftEnd && at - diagonal < rightEnd && left[at] === right[at - diagonal]) at += 1;
      budget.left -= 1 + at - begun;
      forward[origin + diagonal] = at;
      const hasMet = isOdd && backwardLow <= diagonal && diagonal <= backwardHigh;
      if (hasMet && (backward[origin + diagonal] ?? 0) <= at) return [at, at - diagonal];
    }
    backwardLow =
      backwardLow > lowest ? opened(backward, origin, backwardLow - 1, -1, beyondAll) : backwardLow + 1;
    backwardHigh =
      backwardHigh < highest ? opened(backward, origin, backwardHigh + 1, 1, beyondAll) : backwardHigh - 1;
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const up = backward[origin + diagonal - 1] ?? 0;
      const across = backward[origin + diagonal + 1] ?? 0;
      const begun = up < across ? up : across - 1;
      let at = begun;
      while (at > leftStart && at - diagonal > rightStart && left[at - 1] === right[at - diagonal - 1])
        at -= 1;
      budget.left -= 1 + begun - at;
      backward[origin + diagonal] = at;
      const hasMet = !isOdd && forwardLow <= diagonal && diagonal <= forwardHigh;
      if (hasMet && at <= (forward[origin + diagonal] ?? 0)) return [at, at - diagonal];
    }
    if (distance < distanceMax) continue;
    let farthest = { left: 0, right: 0, sum: -1 };
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const at = Math.min(forward[origin + diagonal] ?? 0, leftEnd, rightEnd + diagonal);
      if (2 * at - diagonal > farthest.sum)
        farthest = { left: at, right: at - diagonal, sum: 2 * at - diagonal };
    }
    let nearest = { left: 0, right: 0, sum: beyondAll };
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const at = Math.max(backward[origin + diagonal] ?? 0, leftStart, rightStart + diagonal);
      if (2 * at - diagonal < nearest.sum)
        nearest = { left: at, right: at - diagonal, sum: 2 * at - diagonal };
    }
    const isForward = leftEnd + rightEnd - nearest.sum < farthest.sum - leftStart - rightStart;
    const split = isForward ? farthest : nearest;
    return [split.left, split.right];
  }
}

/** Adds one more diagonal to a frontier. The diagonal beyond it is a dead end. */
function opened(
  reach: Int32Array,
  origin: number,
  diagonal: number,
  outwards: number,
  nowhere: number,
): number {
  reach[origin + diagonal + outwards] = nowhere;
  return diagonal;
}
