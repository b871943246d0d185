import { AsyncLocalStorage } from 'node:async_hooks';
import { WorkspaceError } from '@stoa/core';

interface Call {
  refusal: WorkspaceError | null;
}

const calls = new AsyncLocalStorage<Call>();

/**
 * Takes what the store refuses past the sign-in library, which makes a fault of it. A database that does not answer is
 * none: the caller is to come back.
 */
export const storeRefusals = {
  /** Runs a call of the library; a failure that began as a refusal of the store is thrown as that refusal. */
  async surface<Result>(call: () => Promise<Result>): Promise<Result> {
    const made: Call = { refusal: null };
    try {
      return await calls.run(made, call);
    } catch (error) {
      throw made.refusal ?? error;
    }
  },

  /** Runs a statement of the library, and remembers how the store refused it. */
  async note<Result>(statement: () => Promise<Result>): Promise<Result> {
    try {
      return await statement();
    } catch (error) {
      const made = calls.getStore();
      if (made !== undefined && error instanceof WorkspaceError) made.refusal = error;
      throw error;
    }
  },
};
