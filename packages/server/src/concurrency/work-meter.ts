import { setImmediate as nextTick } from 'node:timers/promises';

/** A unit is about the cost of looking at one character, a few nanoseconds. So this is a few milliseconds. */
const unitsPerRound = 250_000;

/**
 * Yields to other requests by the amount of work rather than by rows, because callers can influence the cost of a
 * row.
 */
export interface WorkMeter {
  /**
   * Counts work. Returns a promise for the next tick of the event loop if enough work was done since the last one,
   * else undefined.
   */
  spend(units: number): Promise<void> | undefined;
}

export function createWorkMeter(perRound: number = unitsPerRound): WorkMeter {
  let spent = 0;
  return {
    spend(units) {
      spent += units;
      if (spent < perRound) return undefined;
      spent = 0;
      return nextTick();
    },
  };
}
