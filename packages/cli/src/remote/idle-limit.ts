import { transferIdleMsMax } from '@stoa/core';
import { RemoteFailure } from '../engine/ports/remote-workspace.ts';

/** Aborts a transfer in which no bytes move. */
export interface IdleLimit {
  readonly signal: AbortSignal;
  /** Restarts the timeout. */
  moved(limitMs?: number): void;
  end(): void;
}

/** @param outer also aborts the transfer */
export function limitIdle(outer: AbortSignal | undefined, limitMs = transferIdleMsMax): IdleLimit {
  const idle = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let setMs: number | null = null;
  const moved = (nextMs = limitMs) => {
    // Called for each chunk of a file. Refreshing the timer takes a fraction of the time of a new one.
    if (timer !== null && nextMs === setMs) return void timer.refresh();
    if (timer !== null) clearTimeout(timer);
    setMs = nextMs;
    timer = setTimeout(() => {
      idle.abort(new RemoteFailure('passing', `The server has been silent for ${nextMs / 1000} s`));
    }, nextMs);
  };
  moved();
  return {
    signal: outer === undefined ? idle.signal : AbortSignal.any([outer, idle.signal]),
    moved,
    end: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
