import { compareByCodePoint } from '@stoa/core';
import type { Clock } from '../ports/environment.ts';
import type { MetadataStore } from '../ports/metadata-store.ts';
import { defineScript } from '../ports/script.ts';

interface ViewedShare {
  readonly id: string;
  readonly workspaceId: string;
}

interface ViewsOfDay {
  readonly shareId: string;
  readonly workspaceId: string;
  /** Since the epoch, in UTC. */
  readonly day: number;
  readonly count: number;
}

/** Counts views without delaying the response: views during a write go into the next one. */
export interface ViewCounter extends AsyncDisposable {
  count(share: ViewedShare): void;
  /** Resolves when all views counted before are written, or their write has failed: later reads include them. */
  settle(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Links with unwritten views. While the storage rejects writes, views of further links are not counted. */
const pendingMax = 10_000;

export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/** @param reportProblem called when views could not be written; the next write includes them. */
export function createViewCounter(
  { store, clock }: { readonly store: MetadataStore; readonly clock: Clock },
  reportProblem: (message: string, cause: unknown) => void,
): ViewCounter {
  let pending = new Map<string, ViewsOfDay>();
  let writing: Promise<void> | null = null;

  const add = (views: ViewsOfDay) => {
    const key = `${views.shareId} ${views.day}`;
    const earlier = pending.get(key)?.count ?? 0;
    if (earlier > 0 || pending.size < pendingMax) {
      pending.set(key, { ...views, count: earlier + views.count });
    }
  };
  const write = async () => {
    // Always in one order, so that nodes that count the same links cannot deadlock.
    const views = [...pending.entries()].sort(([a], [b]) => compareByCodePoint(a, b)).map(([, each]) => each);
    pending = new Map();
    try {
      await store.transact(countShareViewsScript, { views });
    } catch (error) {
      for (const each of views) add(each);
      reportProblem('views of share links could not be counted yet', error);
      return;
    } finally {
      writing = null;
    }
    startWriting();
  };
  const startWriting = () => {
    if (writing === null && pending.size > 0) writing = write();
  };
  /** Waits for the running write, and for the one of the views that arrived during it. */
  const written = async () => {
    await writing;
    await writing;
  };
  return {
    count({ id, workspaceId }) {
      add({ shareId: id, workspaceId, day: dayOf(clock()), count: 1 });
      startWriting();
    },
    async settle() {
      await written();
      store.refreshReads();
    },
    async [Symbol.asyncDispose]() {
      startWriting();
      await written();
    },
  };
}

export const countShareViewsScript = defineScript<{ readonly views: readonly ViewsOfDay[] }, void>(
  'shares.count-views',
  async (tx, { views }) => {
    for (const each of views) await tx.write.countShareViews(each);
  },
);
