import { type Gap, pair, type SequenceMatch } from './sequence-match.ts';

/** Scratch space for counting ids; each array has one cell per id. The counts are zero between uses. */
export interface IdCounts {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly position: Int32Array;
}

export function createIdCounts(ids: number): IdCounts {
  return { left: new Int32Array(ids), right: new Int32Array(ids), position: new Int32Array(ids) };
}

/**
 * Pairs elements that are unique on both sides of a gap, as many as keep their order. A unique element is the best
 * evidence of a match.
 * @returns the gaps between them, or null if there are no such elements
 */
export function matchUnique(match: SequenceMatch, gap: Gap, counts: IdCounts): readonly Gap[] | null {
  const { left, right } = match;
  for (let i = gap.leftStart; i < gap.leftEnd; i += 1) add(counts.left, left[i] ?? 0);
  for (let i = gap.rightStart; i < gap.rightEnd; i += 1) {
    add(counts.right, right[i] ?? 0);
    counts.position[right[i] ?? 0] = i;
  }
  const lefts: number[] = [];
  const rights: number[] = [];
  for (let i = gap.leftStart; i < gap.leftEnd; i += 1) {
    const id = left[i] ?? 0;
    if (counts.left[id] !== 1 || counts.right[id] !== 1) continue;
    lefts.push(i);
    rights.push(counts.position[id] ?? 0);
  }
  for (let i = gap.leftStart; i < gap.leftEnd; i += 1) counts.left[left[i] ?? 0] = 0;
  for (let i = gap.rightStart; i < gap.rightEnd; i += 1) counts.right[right[i] ?? 0] = 0;
  if (lefts.length === 0) return null;

  const gaps: Gap[] = [];
  let { leftStart, rightStart } = gap;
  for (const index of longestIncrease(rights)) {
    const leftAt = lefts[index] ?? 0;
    const rightAt = rights[index] ?? 0;
    gaps.push({ leftStart, leftEnd: leftAt, rightStart, rightEnd: rightAt });
    pair(match, leftAt, rightAt);
    leftStart = leftAt + 1;
    rightStart = rightAt + 1;
  }
  gaps.push({ leftStart, leftEnd: gap.leftEnd, rightStart, rightEnd: gap.rightEnd });
  return gaps;
}

function add(counts: Int32Array, id: number): void {
  counts[id] = (counts[id] ?? 0) + 1;
}

/** Returns the indexes of a longest increasing subsequence of distinct numbers, in order. */
function longestIncrease(values: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const before = new Int32Array(values.length).fill(-1);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[i] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = i;
  }
  const chain: number[] = [];
  for (let i = ends.at(-1) ?? -1; i !== -1; i = before[i] ?? -1) chain.push(i);
  return chain.reverse();
}
