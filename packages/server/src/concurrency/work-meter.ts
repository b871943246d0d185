import { setImmediate as nextTurn } from 'node:timers/promises';

/** A unit is about the cost of looking at one character, a few nanoseconds. So this is a few milliseconds. */
const unitsPerTurn = 250_000;

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

export function createWorkMeter(perTurn: number = unitsPerTurn): WorkMeter {
  let spent = 0;
  return {
    spend(units) {
      spent += units;
      if (spent < perTurn) return undefined;
      spent = 0;
      return nextTurn();
    },
  };
}
