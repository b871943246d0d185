import { StoaConnectionError } from '@stoa/client';
import { transferIdleMsMax } from '@stoa/core';
import type { Workspace } from './workspace.ts';

/**
 * Aborts a transfer if no bytes move while the server must act. Piped input may wait for a user, so that time does not
 * count.
 */
export function limitSilence({ pace, signal }: Pick<Workspace, 'pace' | 'signal'>) {
  const silent = new AbortController();
  let round = new AbortController();
  return {
    /** Aborts at the end of the run or on a timeout. */
    signal: AbortSignal.any([signal, silent.signal]),
    /** Starts the timeout. The server must now accept or send the next bytes. */
    begin(ms = transferIdleMsMax): void {
      round.abort();
      round = new AbortController();
      const { signal: own } = round;
      void pace.sleep(ms, AbortSignal.any([own, signal])).then(() => {
        if (own.aborted || signal.aborted) return;
        silent.abort(new StoaConnectionError(`The server has been silent for ${ms / 1000} s`));
      });
    },
    end: () => round.abort(),
  };
}
