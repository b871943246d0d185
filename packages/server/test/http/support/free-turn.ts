import type { RequestTurn } from '../../../src/http/turns/request-turns.ts';

/** The fairness slot of a request that never waits for others. */
export const freeTurn: RequestTurn = {
  untilSent: async () => () => {},
  callUntilSent: async () => (wait) => wait(),
  during: (read) => read(),
  transfer: async () => {},
};
