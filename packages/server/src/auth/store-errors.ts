import { AsyncLocalStorage } from 'node:async_hooks';
import { WorkspaceError } from '@stoa/core';

interface Call {
  rejection: WorkspaceError | null;
}

const calls = new AsyncLocalStorage<Call>();

/**
 * Preserves errors of the store in calls of the sign-in library, which would turn them into failures. A database that
 * does not respond is a temporary error.
 */
export const storeErrors = {
  /** Runs a call of the library. If its failure was caused by an error of the store, throws that error. */
  async surface<Result>(call: () => Promise<Result>): Promise<Result> {
    const made: Call = { rejection: null };
    try {
      return await calls.run(made, call);
    } catch (error) {
      throw made.rejection ?? error;
    }
  },

  /** Runs a statement of the library, and remembers the store's error. */
  async note<Result>(statement: () => Promise<Result>): Promise<Result> {
    try {
      return await statement();
    } catch (error) {
      const made = calls.getStore();
      if (made !== undefined && error instanceof WorkspaceError) made.rejection = error;
      throw error;
    }
  },
};
