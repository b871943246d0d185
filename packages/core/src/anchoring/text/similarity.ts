import type { ByteRange } from '../anchor.ts';
import { similarityStepsMax } from '../anchoring-limits.ts';
import { type FoldedText, foldText } from './folded-text.ts';

/**
 * Measures how similar two texts are, from 0 to 1: twice the length of their longest common subsequence, divided by the
 * sum of their lengths. Counts characters, a run of white space as one. Equal texts have 1, as do two empty ones.
 *
 * @returns the similarity, or 0 if it is below `least`: a precise lower value is not worth the time
 */
export function similarity(
  a: Uint8Array,
  aRange: ByteRange,
  b: Uint8Array,
  bRange: ByteRange,
  least: number,
): number {
  return foldedSimilarity(foldText(a, aRange), foldText(b, bRange), least);
}

function foldedSimilarity(a: FoldedText, b: FoldedText, least: number): number {
  const sum = a.codes.length + b.codes.length;
  if (sum === 0) return 1;
  const distance = editDistance(a.codes, b.codes, Math.floor((1 - least) * sum));
  return distance === null ? 0 : 1 - distance / sum;
}

/**
 * Counts the deletions and insertions from one sequence to the other. Null if there are more than `most`, or after too
 * many steps.
 */
function editDistance(a: Int32Array, b: Int32Array, most: number): number | null {
  let start = 0;
  let aEnd = a.length;
  let bEnd = b.length;
  while (start < aEnd && start < bEnd && a[start] === b[start]) start += 1;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  const aSize = aEnd - start;
  const bSize = bEnd - start;
  if (Math.abs(aSize - bSize) > most) return null;
  const reach = new Int32Array(2 * most + 3);
  const origin = most + 1;
  let steps = 0;
  for (let distance = 0; distance <= most; distance += 1) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const down = reach[origin + diagonal + 1] ?? 0;
      const across = (reach[origin + diagonal - 1] ?? 0) + 1;
      let x = diagonal === -distance || (diagonal !== distance && across <= down) ? down : across;
      let y = x - diagonal;
      while (x < aSize && y < bSize && a[start + x] === b[start + y]) {
        x += 1;
        y += 1;
        steps += 1;
      }
      reach[origin + diagonal] = x;
      if (x >= aSize && y >= bSize) return distance;
    }
    steps += distance;
    if (steps > similarityStepsMax) return null;
  }
  return null;
}
