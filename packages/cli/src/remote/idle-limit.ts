import { transferIdleMsMax } from '@stoa/core';
import { RemoteFailure } from '../engine/ports/remote-workspace.ts';

/** Ends a transfer in which nothing moves. */
export interface IdleLimit {
  readonly signal: AbortSignal;
  /** Something moved: the time begins again. */
  moved(limitMs?: number): void;
  end(): void;
}

/** @param outer ends the transfer, too. */
export function limitIdle(outer: AbortSignal | undefined, limitMs = transferIdleMsMax): IdleLimit {
  const idle = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let setMs: number | null = null;
  const moved = (nextMs = limitMs) => {
    // For each piece of a file: to begin the same time again takes a fraction of what another timer does.
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
