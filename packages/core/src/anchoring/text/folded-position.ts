import { spaceEnd } from './white-space.ts';

/**
 * Returns the position of `at` in a text that begins at `otherStart` and is equal apart from its white space. Byte
 * offsets.
 */
export function sameFoldedMatch(
  bytes: Uint8Array,
  start: number,
  at: number,
  other: Uint8Array,
  otherStart: number,
): number {
  let here = start;
  let there = otherStart;
  while (here < at) {
    const spaces = spaceEnd(bytes, here, bytes.length);
    const otherSpaces = spaces > here ? spaceEnd(other, there, other.length) : there + 1;
    if (spaces > at) return there + foldedCut(bytes, here, at, spaces, other, there, otherSpaces);
    here = spaces > here ? spaces : here + 1;
    there = otherSpaces;
  }
  return there;
}

/** Cuts within white space: at the same point if both runs are equal, else behind all of it. */
function foldedCut(
  bytes: Uint8Array,
  start: number,
  at: number,
  end: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): number {
  const isEqual =
    end - start === otherEnd - otherStart &&
    !bytes.subarray(start, end).some((byte, i) => byte !== other[otherStart + i]);
  return isEqual ? at - start : otherEnd - otherStart;
}
