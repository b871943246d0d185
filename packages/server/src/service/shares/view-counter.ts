import { compareByCodePoint } from '@stoa/core';
import { openThreadTally, type ThreadTally, tallyPlaces } from '../../concurrency/thread-tally.ts';
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

/** Counts views without holding up the answer: views during a write go into the next one. */
export interface ViewCounter extends AsyncDisposable {
  count(share: ViewedShare): void;
  /** Resolves when all that any thread counted before is written, or could not be: what is read from then on has it. */
  settle(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Links with views not written yet. While the storage refuses them, views of further links are not counted. */
const pendingMax = 10_000;

export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/**
 * @param reportProblem is told when views could not be written; they are tried again with the next one.
 * @param tally what the threads of this process count; none where there is one thread.
 */
export function createViewCounter(
  { store, clock }: { readonly store: MetadataStore; readonly clock: Clock },
  reportProblem: (message: string, cause: unknown) => void,
  tally: ThreadTally = openThreadTally(tallyPlaces(1)[0]),
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
    // Always in one order, so that nodes that count the same links do not wait for each other in a circle.
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
      store.readAnew();
    },
    async [Symbol.asyncDispose]() {
      startWriting();
      // What is under way, and what came while it was.
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
