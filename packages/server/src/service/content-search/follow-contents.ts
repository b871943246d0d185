// docs/decisions/0059-contents-in-an-index-beside.md
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
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
  /** How long ago the index was last known to have everything; 0 while it has. */
  behindMs(): number;
}

/**
 * Keeps the index of contents up with the feeds of all workspaces, outside every write's transaction, one step at a time.
 * Disposing ends it after the step under way.
 */
export function followContents(
  deps: IndexingDeps,
  reportProblem: (message: string, cause: unknown) => void,
  pace: IndexingPace = indexingPace,
): ContentFollower {
  if (!deps.contentIndex.isAvailable) {
    return { waiting: 0, behindMs: () => 0, async [Symbol.asyncDispose]() {} };
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  const changed = new Set<string>();
  let looksAtAll = true;
  /** Null while there is nothing to do. */
  let behindSince: number | null = performance.now();
  let lastChangeAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};
  const unsubscribe = deps.store.onChange((workspaceIds) => {
    lastChangeAt = performance.now();
    behindSince ??= lastChangeAt;
    for (const id of workspaceIds) if (changed.size < changedMax) changed.add(id);
    looksAtAll ||= changed.size >= changedMax;
    wake();
  });

  const rest = async (milliseconds: number) => {
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  };
  const followOne = async (workspaceId: string): Promise<void> => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const step = await indexStep(deps, workspaceId);
      const isQuiet = performance.now() - lastChangeAt > pace.quietAfterMs;
      const tookMs = performance.now() - startedAt;
      if (step.kind === 'followed') return;
      await rest(Math.min(tookMs * (isQuiet ? pace.restWhileQuiet : pace.restWhileWriting), restMsMax));
    }
  };
  const followAll = async (): Promise<void> => {
    let afterId = '';
    while (!signal.aborted) {
      const page = await deps.store.reader.workspaces.page(afterId, pageRows);
      for (const { id } of page) {
        if (signal.aborted) return;
        await followOne(id);
        await removeOutdated(deps, id);
      }
      if (page.length < pageRows) return;
      afterId = page.at(-1)?.id ?? '';
    }
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
        for (const id of changed) {
          if (signal.aborted) break;
          changed.delete(id);
          await followOne(id);
        }
        if (changed.size === 0 && !looksAtAll) behindSince = null;
      } catch (error) {
        looksAtAll = true;
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
    behindMs: () => (behindSince === null ? 0 : performance.now() - behindSince),
    async [Symbol.asyncDispose]() {
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}
