import { compareByCodePoint } from '@stoa/core';
import { openThreadTally, type ThreadTally, tallyLocations } from '../../concurrency/thread-tally.ts';
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
  /**
   * Resolves when all views that any thread counted before are written, or their write has failed: later reads include
   * them.
   */
  settle(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Links with unwritten views. While the storage rejects writes, views of further links are not counted. */
const pendingMax = 10_000;

export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/**
 * @param reportProblem called when views could not be written; the next write includes them.
 * @param tally combines the counts of the threads of this process.
 */
export function createViewCounter(
  { store, clock }: { readonly store: MetadataStore; readonly clock: Clock },
  reportProblem: (message: string, cause: unknown) => void,
  tally: ThreadTally = openThreadTally(tallyLocations(1)[0]),
): ViewCounter {
  let counted = 0n;
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
    const written = counted;
    try {
      await store.transact(countShareViewsScript, { views });
      tally.end(written);
    } catch (error) {
      for (const each of views) add(each);
      tally.end(counted);
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
  return {
    count({ id, workspaceId }) {
      counted = tally.begin();
      add({ shareId: id, workspaceId, day: dayOf(clock()), count: 1 });
      startWriting();
    },
    async settle() {
      await tally.settled();
      store.refreshReads();
    },
    async [Symbol.asyncDispose]() {
      startWriting();
      // The running write, and the one for views that arrived during it.
      await writing;
      await writing;
    },
  };
}

export const countShareViewsScript = defineScript<{ readonly views: readonly ViewsOfDay[] }, void>(
  'shares.count-views',
  async (tx, { views }) => {
    for (const each of views) await tx.write.countShareViews(each);
  },
);
