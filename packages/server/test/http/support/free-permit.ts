import type { RequestPermit } from '../../../src/http/permits/request-permits.ts';

/** The fairness slot of a request that never waits for others. */
export const freeRound: RequestPermit = {
  untilSent: async () => () => {},
  callUntilSent: async () => (wait) => wait(),
  during: (read) => read(),
  transfer: async () => {},
};
