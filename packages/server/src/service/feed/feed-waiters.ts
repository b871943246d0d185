// A wake-up is only a hint: the feed is read again, so a lost notification costs a second but no data.
import type { MetadataStore } from '../ports/metadata-store.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';

/** Poll interval of a waiting request: a notification of another process may be lost. */
const lookAgainMs = 1000;
/** Limits the polls of this process: with many waiting requests, each polls less often. */
const looksPerSecondMax = 1000;
/** Maximum number of waiting requests; beyond it, a request gets its response immediately. */
const waitersMax = 10_000;

/** Holds feed requests until there is a change after their cursor. */
export interface FeedWaiters extends Disposable {
  /** Resolves when the feed may have a change after `sinceSeq`, after `waitSeconds`, or on abort. */
  untilAfter(
    workspace: Pick<WorkspaceRow, 'id' | 'seq'>,
    wait: { readonly sinceSeq: number; readonly waitSeconds: number; readonly signal: AbortSignal },
  ): Promise<void>;
  readonly waiting: number;
}

/** Disposing releases every waiting request, so that a server that shuts down responds to them. */
export function createFeedWaiters(store: Pick<MetadataStore, 'reader' | 'onChange'>): FeedWaiters {
  const wakers = new Map<string, Set<() => void>>();
  let waiting = 0;
  let disposed = false;
  const wake = (workspaceIds: Iterable<string>) => {
    for (const workspaceId of workspaceIds) {
      for (const waker of wakers.get(workspaceId) ?? []) waker();
    }
  };
  const unsubscribe = store.onChange(wake);

  /** Resolves on a notification, after the poll interval, or on abort. */
  async function pause(workspaceId: string, ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const set = wakers.get(workspaceId) ?? new Set();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        set.delete(done);
        if (set.size === 0) wakers.delete(workspaceId);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      set.add(done);
      wakers.set(workspaceId, set);
    });
  }

  return {
    get waiting() {
      return waiting;
    },
    async untilAfter({ id, seq }, { sinceSeq, waitSeconds, signal }) {
      if (seq > sinceSeq || waiting >= waitersMax) return;
      waiting += 1;
      try {
        let leftMs = waitSeconds * 1000;
        while (leftMs > 0 && !signal.aborted && !disposed) {
          if ((await store.reader.changes.head(id)) > sinceSeq) return;
          const pauseMs = Math.min(leftMs, lookAgainMs * Math.max(1, waiting / looksPerSecondMax));
          const startedAt = performance.now();
          await pause(id, pauseMs, signal);
          leftMs -= Math.max(1, performance.now() - startedAt);
        }
      } finally {
        waiting -= 1;
      }
    },
    [Symbol.dispose]() {
      disposed = true;
      unsubscribe();
      wake([...wakers.keys()]);
    },
  };
}
