// docs/decisions/0026-content-index.md
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { ServiceDeps } from '../service-deps.ts';
import { type IndexingDeps, indexStep, removeOutdated } from './index-contents.ts';

/** Pace at which indexing yields to writes: the rest after a step, in multiples of its duration. */
export interface IndexingPace {
  readonly restWhileWriting: number;
  readonly restWhileQuiet: number;
  /** Writes count as ongoing for this long after the last one. */
  readonly quietAfterMs: number;
  /** Interval for polling, because changes of other processes are not always announced. */
  readonly lookAgainMs: number;
  /** Jitter: nodes that learn of a change together start at different times, and find each other's work done. */
  readonly beginWithinMs: number;
}

export const indexingPace: IndexingPace = {
  restWhileWriting: 40,
  restWhileQuiet: 1,
  quietAfterMs: 300,
  lookAgainMs: 60_000,
  beginWithinMs: 400,
};

/** With more changed workspaces than this, all are checked. */
const changedMax = 10_000;
const pageRows = 100;
const restMsMax = 10_000;
const afterFailureMs = 30_000;

export interface ContentFollower extends AsyncDisposable {
  /** Workspaces with known changes that were not indexed yet. */
  readonly waiting: number;
  /**
   * Age of the oldest change that is not in the index; 0 without one. Changes from before this process count from its
   * start.
   */
  behindMs(): number;
}

/**
 * Keeps the content index up to date with the feeds of all workspaces, outside every write's transaction, one step at a
 * time. Disposing stops it after the current step.
 */
export function followContents(
  deps: IndexingDeps & Pick<ServiceDeps, 'clock'>,
  reportProblem: (message: string, cause: unknown) => void,
  pace: IndexingPace = indexingPace,
): ContentFollower {
  if (!deps.contentIndex.isAvailable) {
    return { waiting: 0, behindMs: () => 0, async [Symbol.asyncDispose]() {} };
  }
  const { clock } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const startedAt = clock();
  /** Workspaces with changes that were not indexed, and the time when the oldest of these became known. */
  const changed = new Map<string, number>();
  let looksAtAll = true;
  /** Time since when unnamed workspaces may have changes. */
  let unnamedSince: number | null = startedAt;
  /** The oldest change that is not in the index, of the workspace being indexed. */
  let oldestOfRound: number | null = null;
  let lastChangeAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};
  const remember = (workspaceId: string, since: number) => {
    if (changed.has(workspaceId)) return;
    if (changed.size < changedMax) {
      changed.set(workspaceId, since);
      return;
    }
    looksAtAll = true;
    unnamedSince ??= since;
  };
  const unsubscribe = deps.store.onChange((workspaceIds) => {
    lastChangeAt = performance.now();
    const now = clock();
    for (const id of workspaceIds) remember(id, now);
    wake();
  });

  const rest = async (milliseconds: number) => {
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  };
  /**
   * Follows a workspace up to the head that it had at the beginning: a workspace with constant writes then queues
   * again, so that the others are served.
   */
  const followOne = async (workspaceId: string): Promise<void> => {
    const roundAt = clock();
    oldestOfRound = changed.get(workspaceId) ?? null;
    changed.delete(workspaceId);
    while (!signal.aborted) {
      const beganAt = performance.now();
      const step = await indexStep(deps, workspaceId, clock());
      if (step.kind === 'followed') break;
      const isQuiet = performance.now() - lastChangeAt > pace.quietAfterMs;
      const tookMs = performance.now() - beganAt;
      oldestOfRound = Math.max(step.leftSince, startedAt);
      await rest(Math.min(tookMs * (isQuiet ? pace.restWhileQuiet : pace.restWhileWriting), restMsMax));
      if (oldestOfRound > roundAt) {
        changed.delete(workspaceId);
        remember(workspaceId, oldestOfRound);
        break;
      }
    }
    oldestOfRound = null;
  };
  const followAll = async (): Promise<void> => {
    const roundAt = clock();
    let afterId = '';
    while (!signal.aborted) {
      const page = await deps.store.reader.workspaces.page(afterId, pageRows);
      for (const { id } of page) {
        if (signal.aborted) return;
        await followOne(id);
        await removeOutdated(deps, id);
      }
      if (page.length < pageRows) break;
      afterId = page.at(-1)?.id ?? '';
    }
    unnamedSince = looksAtAll ? roundAt : null;
  };
  const waitForChange = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wake = () => {};
        resolve();
      };
      const timer = setTimeout(() => {
        looksAtAll = true;
        done();
      }, pace.lookAgainMs).unref();
      signal.addEventListener('abort', done);
      wake = done;
      if (changed.size > 0 || looksAtAll || signal.aborted) done();
    });
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await waitForChange();
      await rest(Math.random() * pace.beginWithinMs);
      try {
        if (looksAtAll) {
          looksAtAll = false;
          await followAll();
        }
        for (const id of [...changed.keys()]) {
          if (signal.aborted) break;
          await followOne(id);
        }
      } catch (error) {
        looksAtAll = true;
        unnamedSince = Math.min(unnamedSince ?? clock(), oldestOfRound ?? clock());
        oldestOfRound = null;
        if (signal.aborted || (error instanceof WorkspaceError && error.code === 'shutting_down')) continue;
        reportProblem('contents could not be added to the content index yet', error);
        await rest(afterFailureMs);
      }
    }
  };
  const running = run();
  return {
    get waiting() {
      return changed.size;
    },
    behindMs() {
      let oldest = clock();
      for (const since of [unnamedSince, oldestOfRound, ...changed.values()]) {
        if (since !== null && since < oldest) oldest = since;
      }
      return clock() - oldest;
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}
