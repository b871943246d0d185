import type { TraceParent } from './trace-parent.ts';

/** Limit, per second, of requests that are traced because their sender asks for it, which anyone can do. */
export const toldPerSecondMax = 10;

interface Chance {
  /** At least 0, below 1. */
  readonly random: () => number;
  /** In milliseconds. */
  readonly now: () => number;
}

/**
 * Chooses the traced requests: a fraction of those without a trace, and those whose sender traces them. Above
 * `toldPerSecondMax`, the fraction applies to the latter as well.
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
