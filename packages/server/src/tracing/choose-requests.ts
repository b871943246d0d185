import type { TraceParent } from './trace-parent.ts';

/** Limit, per second, of requests that are traced because their sender asks for it, which anyone can do. */
export const reportedPerSecondMax = 10;

interface Chance {
  /** At least 0, below 1. */
  readonly random: () => number;
  /** In milliseconds. */
  readonly now: () => number;
}

/**
 * Chooses the traced requests: a fraction of those without a trace, and those whose sender traces them. Above
 * `reportedPerSecondMax`, the fraction applies to the latter as well.
 */
export function createChooser(
  ratio: number,
  { random, now }: Chance = { random: Math.random, now: () => performance.now() },
): (parent: TraceParent | null) => boolean {
  let second = -1;
  let reported = 0;
  const isReported = () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      reported = 0;
    }
    reported += 1;
    return reported <= reportedPerSecondMax;
  };
  return (parent) => {
    if (parent === null) return random() < ratio;
    return parent.isFollowed && (isReported() || random() < ratio);
  };
}
