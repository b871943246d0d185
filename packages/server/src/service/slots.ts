import { WorkspaceError } from '@stoa/core';

/** Runs at most so many pieces of work at a time; the others wait in the order in which they came. */
export interface Slots {
  /** @throws WorkspaceError `overloaded` when too many wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * For work that finds out on the way that it needs a slot. @returns what gives it back, to be called once.
   * @throws WorkspaceError `overloaded` when too many wait.
   */
  take(): Promise<() => void>;
}

/** Each that waits is a request that is held, and those are few. */
const waitingMax = 1000;

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  const give = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const take = async () => {
    if (free === 0 && waiting.length >= waitingMax) throw new WorkspaceError('overloaded');
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    return give;
  };
  return {
    take,
    async run(work) {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
