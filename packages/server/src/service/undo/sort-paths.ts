import { compareByCodePoint, type WorkspacePath } from '@stoa/core';
import type { WorkMeter } from '../../concurrency/work-meter.ts';

/** Sorted in one tick: each path is compared some eight times. */
const runPaths = 256;
const comparisons = 8;

/**
 * Sorts by code point and yields to other requests: tens of thousands of long paths with a common prefix take a second.
 */
export async function sortPaths(
  paths: readonly WorkspacePath[],
  meter: WorkMeter,
): Promise<readonly WorkspacePath[]> {
  let runs: (readonly WorkspacePath[])[] = [];
  for (let at = 0; at < paths.length; at += runPaths) {
    const run = paths.slice(at, at + runPaths).sort(compareByCodePoint);
    runs.push(run);
    await meter.spend(comparisons * run.reduce((sum, { length }) => sum + length, 0));
  }
  // Each round halves the number of runs.
  while (runs.length > 1) {
    const merged: (readonly WorkspacePath[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], meter));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  left: readonly WorkspacePath[],
  right: readonly WorkspacePath[],
  meter: WorkMeter,
): Promise<readonly WorkspacePath[]> {
  const merged: WorkspacePath[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [left[i], right[j]];
    if (a === undefined || b === undefined) return [...merged, ...left.slice(i), ...right.slice(j)];
    const isLeft = compareByCodePoint(a, b) <= 0;
    merged.push(isLeft ? a : b);
    if (isLeft) i += 1;
    else j += 1;
    const round = meter.spend(a.length);
    if (round !== undefined) await round;
  }
}
