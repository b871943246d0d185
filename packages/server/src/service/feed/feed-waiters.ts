// docs/decisions/0011-feed-edges.md
import type { MetadataStore } from '../ports/metadata-store.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';

/** How often a waiting request looks by itself: a notification of another process may be lost. */
const lookAgainMs = 1000;
/** Looks of this process a second, so that many held requests do not keep the database busy: they look less often then. */
const looksPerSecondMax = 1000;
/** Requests held at once; beyond it a request is answered at once, as if it had not asked to wait. */
const waitersMax = 10_000;

/** Holds feed requests until there is something after their cursor. */
export interface FeedWaiters extends Disposable {
  /** Resolves when the feed may hold something after `sinceSeq`, after `waitSeconds`, or when told to stop. */
  untilAfter(
    workspace: Pick<WorkspaceRow, 'id' | 'seq'>,
    wait: { readonly sinceSeq: number; readonly waitSeconds: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** How many requests are held now. */
  readonly waiting: number;
}

/** Disposing it lets every held request go: a server that shuts down answers them. */
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

  /** One notification, one look interval or one abort, whichever comes first. */
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
