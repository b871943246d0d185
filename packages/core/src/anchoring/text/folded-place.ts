import { spaceEnd } from './white-space.ts';

/** Where `at` is in a text that is equal but for its white space and begins at `otherStart`. Byte offsets. */
export function sameFoldedPlace(
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

/** A cut within white space: equal white space is cut equally, else all of it goes before the cut. */
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
