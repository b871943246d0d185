// docs/decisions/0026-content-index.md
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { ServiceDeps } from '../service-deps.ts';
import { compareIndex, type IndexedState, type IndexingDeps, repairIndex } from './index-contents.ts';

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
   * Age of the oldest change that may be missing from the index; 0 without one. Changes from before this process count
   * from its start.
   */
  behindMs(): number;
}

/**
 * Keeps the content index like the current files of all workspaces, outside every write's transaction, one step at a
 * time. Disposing stops it after the current step.
 */
export function followContents(
  deps: IndexingDeps & Pick<ServiceDeps, 'clock'>,
  reportProblem: (message: string, cause: unknown) => void,
  pace: IndexingPace = indexingPace,
): ContentFollower {
  const { clock } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Workspaces with changes that were not indexed, and the time when the oldest of these became known. */
  const changed = new Map<string, number>();
  const indexed = new Map<string, IndexedState>();
  /** Time since when any workspace may have changes; null while only those in `changed` have. */
  let allSince: number | null = clock();
  let current: number | null = null;
  let lastChangeAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};
  const remember = (workspaceId: string, since: number) => {
    if (changed.has(workspaceId)) return;
    if (changed.size < changedMax) changed.set(workspaceId, since);
    else allSince ??= since;
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
  /** Rests after work that took from `beganAt` until now. */
  const restAfter = async (beganAt: number) => {
    const isQuiet = performance.now() - lastChangeAt > pace.quietAfterMs;
    const times = isQuiet ? pace.restWhileQuiet : pace.restWhileWriting;
    await rest(Math.min((performance.now() - beganAt) * times, restMsMax));
  };
  const isIndexed = async (workspaceId: string, seq: number): Promise<boolean> => {
    const state = indexed.get(workspaceId);
    if (state?.seq !== seq || state.lacks.length > 0) return false;
    return state.generation === (await deps.indexedTexts.known(workspaceId)).generation;
  };
  /**
   * Indexes what a workspace lacked at the beginning. A workspace with constant writes then queues again, so that the
   * others are served.
   */
  const followOne = async (workspaceId: string, seq: number | null): Promise<void> => {
    const since = changed.get(workspaceId) ?? clock();
    changed.delete(workspaceId);
    if (seq !== null && (await isIndexed(workspaceId, seq))) return;
    current = since;
    let beganAt = performance.now();
    const difference = await compareIndex(deps, workspaceId, { since: indexed.get(workspaceId) ?? null });
    indexed.delete(workspaceId);
    if (difference === null) return;
    for await (const _ of repairIndex(deps, workspaceId, difference)) {
      await restAfter(beganAt);
      if (signal.aborted) return;
      beganAt = performance.now();
    }
    // A removal changes the generation: the next comparison is of all files again.
    const { repaired, outdated, isMore } = difference;
    if (repaired !== null && outdated.length === 0) indexed.set(workspaceId, repaired);
    if (isMore) remember(workspaceId, since);
    else await restAfter(beganAt);
  };
  const followAll = async (): Promise<void> => {
    const since = allSince;
    const roundAt = clock();
    for (let afterId = ''; !signal.aborted; ) {
      const page = await deps.store.reader.workspaces.page(afterId, pageRows);
      for (const { id, seq } of page) {
        if (signal.aborted) return;
        if (since !== null && !changed.has(id)) changed.set(id, since);
        await followOne(id, seq);
        current = null;
      }
      if (page.length < pageRows) break;
      afterId = page.at(-1)?.id ?? '';
    }
    if (changed.size < changedMax) allSince = null;
    else allSince = roundAt;
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
        allSince ??= clock();
        done();
      }, pace.lookAgainMs).unref();
      signal.addEventListener('abort', done);
      wake = done;
      if (changed.size > 0 || allSince !== null || signal.aborted) done();
    });
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await waitForChange();
      await rest(Math.random() * pace.beginWithinMs);
      if (signal.aborted) break;
      try {
        if (allSince !== null) await followAll();
        for (const id of [...changed.keys()]) {
          if (signal.aborted) break;
          await followOne(id, null);
          current = null;
        }
      } catch (error) {
        allSince = Math.min(allSince ?? clock(), current ?? clock());
        current = null;
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
      const now = clock();
      return now - Math.min(now, allSince ?? now, current ?? now, ...changed.values());
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}
