import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { ScrubState } from '../ports/scrub.ts';
import type { BringBack } from './repair-contents.ts';
import { type ScrubDeps, type ScrubFinding, scrubRound } from './scrub-round.ts';

/** Leaves short-lived and restarting servers alone. */
const afterStartMs = 5 * 60 * 1000;
const lookAgainMs = 60 * 1000;

/** Progress of the scrub on any node, up to a minute old. */
export interface ScrubFigures extends Pick<ScrubState, 'contents' | 'bytes' | 'wrong'> {
  readonly quarantined: number;
  /**
   * Every content was read or written since this time, in milliseconds since the epoch. Null before the first round.
   */
  readonly verifiedSince: number | null;
}

export interface Scrub extends AsyncDisposable {
  /** Null until it was read once. */
  figures(): ScrubFigures | null;
}

/**
 * Repeats the scrub in the background, on one node at a time. Disposing stops it after the current chunk and stores its
 * position.
 */
export function startScrub(
  deps: ScrubDeps,
  options: {
    /** Null: no scrub runs; the contents in quarantine are still reported. */
    readonly withinMs: number | null;
    readonly bringBack: BringBack | null;
    readonly isLocationThere: () => Promise<boolean>;
    readonly found: (finding: ScrubFinding) => void;
    readonly reportProblem: (message: string, cause: unknown) => void;
  },
): Scrub {
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = randomUUID();
  let figures: ScrubFigures | null = null;
  const rest = async (milliseconds: number) => {
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  };
  const look = async () => {
    const { contents, bytes, wrong, verifiedSince } = await deps.store.reader.scrub.state();
    const { quarantined, oldestAt } = await deps.store.reader.scrub.figures();
    figures = { contents, bytes, wrong, quarantined, verifiedSince: verifiedSince ?? oldestAt };
  };
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (signal.aborted || (error instanceof WorkspaceError && error.code === 'shutting_down')) return;
      options.reportProblem('the scrub could not continue and will be retried', error);
    }
  };
  const looking = async () => {
    while (!signal.aborted) {
      await attempt(look);
      await rest(lookAgainMs);
    }
  };
  const { withinMs } = options;
  const scrubbing = async () => {
    if (withinMs === null) return;
    await rest(afterStartMs);
    while (!signal.aborted) {
      await attempt(() => scrubRound(deps, { ...options, withinMs, holder, rest, signal }));
      await rest(lookAgainMs);
    }
  };
  const running = Promise.all([looking(), scrubbing()]);
  return {
    figures: () => figures,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
