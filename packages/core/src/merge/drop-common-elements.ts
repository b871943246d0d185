import type { Side } from './side.ts';

/** Elements that are examined on each side of a frequent one. */
const windowMax = 100;
/** An element that the other side has at least this often is frequent, even in a very long text. */
const frequentMax = 1024;

const absent = 0;
const telling = 1;
const frequent = 2;

/**
 * Marks elements as changed that cannot be paired, or whose pairing means nothing: elements that the other side lacks,
 * and frequent ones (blank lines, closing brackets, spaces) mostly among those. Otherwise two rewritten paragraphs
 * would seem to share the blank line between them.
 * @returns the indexes of all other elements between `start` and `end`.
 */
export function dropCommonElements(
  here: Side,
  there: Int32Array,
  idCount: number,
  start: number,
  end: number,
): Int32Array {
  const counts = new Int32Array(idCount);
  for (const id of there) counts[id] = (counts[id] ?? 0) + 1;
  const frequentMin = Math.min(rootOf(here.ids.length), frequentMax);
  const kinds = new Uint8Array(end - start);
  for (let i = start; i < end; i += 1) {
    const count = counts[here.ids[i] ?? 0] ?? 0;
    kinds[i - start] = count === 0 ? absent : count >= frequentMin ? frequent : telling;
  }
  const isNoise = noiseAmong(kinds);
  const kept = new Int32Array(end - start);
  let size = 0;
  for (let i = start; i < end; i += 1) {
    const kind = kinds[i - start];
    if (kind === absent || (kind === frequent && isNoise(i - start))) here.changed[i] = 1;
    else {
      kept[size] = i;
      size += 1;
    }
  }
  return kept.subarray(0, size);
}

/**
 * Whether a frequent element is among absent ones. There must be some before it and some after it, up to the next
 * telling one on each side, and more than three for each frequent one. Uses prefix sums, so that each query takes one
 * step.
 */
function noiseAmong(kinds: Uint8Array): (at: number) => boolean {
  const size = kinds.length;
  const absentBefore = new Int32Array(size + 1);
  const runStart = new Int32Array(size);
  const runEnd = new Int32Array(size);
  for (let i = 0; i < size; i += 1) {
    absentBefore[i + 1] = (absentBefore[i] ?? 0) + (kinds[i] === absent ? 1 : 0);
    runStart[i] = i > 0 && kinds[i - 1] !== telling ? (runStart[i - 1] ?? 0) : i;
  }
  for (let i = size - 1; i >= 0; i -= 1)
    runEnd[i] = i + 1 < size && kinds[i + 1] !== telling ? (runEnd[i + 1] ?? 0) : i + 1;
  const absentIn = (from: number, to: number): number => (absentBefore[to] ?? 0) - (absentBefore[from] ?? 0);
  return (at) => {
    const from = Math.max(runStart[at] ?? 0, at - windowMax);
    const to = Math.min(runEnd[at] ?? 0, at + windowMax + 1);
    const before = absentIn(from, at);
    const after = absentIn(at + 1, to);
    if (before === 0 || after === 0) return false;
    // The element itself counts once for each side.
    const frequents = to - from + 1 - before - after;
    return before + after > 3 * frequents;
  };
}

/** Returns the nearest power of two above the square root, as common diff tools do. */
export function rootOf(size: number): number {
  let root = 1;
  for (let rest = size; rest > 0; rest >>>= 2) root *= 2;
  return root;
}
