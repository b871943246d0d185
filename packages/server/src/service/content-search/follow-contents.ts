// docs/decisions/0059-contents-in-an-index-beside.md
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import type { ServiceDeps } from '../service-deps.ts';
import { type IndexingDeps, indexStep, removeOutdated } from './index-contents.ts';

/** How the work gives way to writes: one part of the time while they go on, and half of it while none do. */
export interface IndexingPace {
  readonly restWhileWriting: number;
  readonly restWhileQuiet: number;
  /** Writes go on for so long after one. */
  readonly quietAfterMs: number;
  /** Changes of other processes are not always told. */
  readonly lookAgainMs: number;
  /** Nodes that hear of a change together begin at different times, and find each other's work done. */
  readonly beginWithinMs: number;
}

export const indexingPace: IndexingPace = {
  restWhileWriting: 40,
  restWhileQuiet: 1,
  quietAfterMs: 300,
  lookAgainMs: 60_000,
  beginWithinMs: 400,
};

/** Beyond so many workspaces, all are looked through. */
const changedMax = 10_000;
const pageRows = 100;
const restMsMax = 10_000;
const afterFailureMs = 30_000;

export interface ContentFollower extends AsyncDisposable {
  /** Workspaces whose changes are known and not looked at yet. */
  readonly waiting: number;
  /**
   * How long ago the oldest change was made that is not in the index; 0 without one. What was left from before this process
   * counts from its start.
   */
  behindMs(): number;
}

/**
 * Keeps the index of contents up with the feeds of all workspaces, outside every write's transaction, one step at a time.
 * Disposing ends it after the step under way.
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
  /** Workspaces with changes that were not looked at, and since when the oldest of them has been known. */
  const changed = new Map<string, number>();
  let looksAtAll = true;
  /** Since when there may be changes in workspaces that nobody has named. */
  let unnamedSince: number | null = startedAt;
  /** The oldest change that is not in the index, of the workspace whose turn it is. */
  let oldestOfTurn: number | null = null;
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
   * Follows a workspace up to what there was at the beginning of its turn: one that is written to without a pause waits for
   * another turn, so that the others have theirs.
   */
  const followOne = async (workspaceId: string): Promise<void> => {
    const turnAt = clock();
    oldestOfTurn = changed.get(workspaceId) ?? null;
    changed.delete(workspaceId);
    while (!signal.aborted) {
      const beganAt = performance.now();
      const step = await indexStep(deps, workspaceId, clock());
      if (step.kind === 'followed') break;
      const isQuiet = performance.now() - lastChangeAt > pace.quietAfterMs;
      const tookMs = performance.now() - beganAt;
      oldestOfTurn = Math.max(step.leftSince, startedAt);
      await rest(Math.min(tookMs * (isQuiet ? pace.restWhileQuiet : pace.restWhileWriting), restMsMax));
      if (oldestOfTurn > turnAt) {
        changed.delete(workspaceId);
        remember(workspaceId, oldestOfTurn);
        break;
      }
    }
    oldestOfTurn = null;
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
        unnamedSince = Math.min(unnamedSince ?? clock(), oldestOfTurn ?? clock());
        oldestOfTurn = null;
        if (signal.aborted || (error instanceof WorkspaceError && error.code === 'shutting_down')) continue;
        reportProblem('contents could not be added to the index of searches yet', error);
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
      for (const since of [unnamedSince, oldestOfTurn, ...changed.values()]) {
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
