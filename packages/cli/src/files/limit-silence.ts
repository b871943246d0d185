import { StoaConnectionError } from '@stoa/client';
import { transferIdleMsMax } from '@stoa/core';
import type { Workspace } from './workspace.ts';

/** Ends a transfer while nothing moves in it, for as long as it is the server's turn: what is piped may wait for a person. */
export function limitSilence({ pace, signal }: Pick<Workspace, 'pace' | 'signal'>) {
  const silent = new AbortController();
  let turn = new AbortController();
  return {
    /** Of the run, or of the silence. */
    signal: AbortSignal.any([signal, silent.signal]),
    /** The server is to take or send the next bytes now. */
    begin(ms = transferIdleMsMax): void {
      turn.abort();
      turn = new AbortController();
      const { signal: own } = turn;
      void pace.sleep(ms, AbortSignal.any([own, signal])).then(() => {
        if (own.aborted || signal.aborted) return;
        silent.abort(new StoaConnectionError(`The server has been silent for ${ms / 1000} s`));
      });
    },
    end: () => turn.abort(),
  };
}
