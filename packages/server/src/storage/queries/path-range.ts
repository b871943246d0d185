import { compareByCodePoint, type PathPrefix, type WorkspacePath } from '@stoa/core';

/** The paths below a folder: above `after` and before `before` by code point. `0` is the character after `/`. */
export function rangeBelow(folder: WorkspacePath | PathPrefix): {
  readonly after: string;
  readonly before: string;
} {
  return folder === ''
    ? { after: '', before: aboveEveryPath }
    : { after: `${folder}/`, before: `${folder}0` };
}

/** The later of two places to continue after. */
export function laterOf(a: string, b: string): string {
  return compareByCodePoint(a, b) < 0 ? b : a;
}

// More of the last code point than a segment can hold.
const aboveEveryPath = '\u{10ffff}'.repeat(65);
