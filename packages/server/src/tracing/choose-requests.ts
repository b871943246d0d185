import type { TraceParent } from './trace-parent.ts';

/** Requests a second that are followed because their senders say so: anybody may say so. */
export const toldPerSecondMax = 10;

interface Chance {
  /** From 0 up to and without 1. */
  readonly random: () => number;
  /** In milliseconds. */
  readonly now: () => number;
}

/**
 * Which requests are followed: a part of those that come from nowhere, and those that are followed already where they come
 * from. Beyond `toldPerSecondMax` of the latter, a part of these too.
 */
export function createChooser(
  ratio: number,
  { random, now }: Chance = { random: Math.random, now: () => performance.now() },
): (parent: TraceParent | null) => boolean {
  let second = -1;
  let told = 0;
  const isTold = () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      told = 0;
    }
    told += 1;
    return told <= toldPerSecondMax;
  };
  return (parent) => {
    if (parent === null) return random() < ratio;
    return parent.isFollowed && (isTold() || random() < ratio);
  };
}
