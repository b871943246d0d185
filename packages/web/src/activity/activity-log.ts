import type { StoaClient } from '@stoa/client';
import type { ChangeRecord } from '@stoa/contract';
import type { FeedConnection } from '../api/feed-connection.ts';
import { createStore, type Store } from '../store/store.ts';

export interface ActivityLogState {
  /** Unordered, without duplicates. */
  readonly changes: readonly ChangeRecord[];
  readonly busy: boolean;
  readonly error: Error | null;
  /** Whether the first page has arrived. */
  readonly hasLooked: boolean;
  /** Whether there are changes before the oldest requested one. */
  readonly hasOlder: boolean;
}

/** The changes of a workspace, from now back to the oldest loaded page. */
export interface ActivityLog {
  readonly state: Store<ActivityLogState>;
  /**
   * Loads older pages until one has a change that matters, up to `pagesAtOnceMax`, so that "Older changes" shows a
   * result.
   */
  loadOlder(matters: (change: ChangeRecord) => boolean): Promise<void>;
  /** Adds new changes until the returned function is called. */
  follow(): () => void;
}

/** Size of a page when walking back. The feed pages forward, so each request names its start. */
const pageSeqs = 200;
const pagesAtOnceMax = 10;

/**
 * Walks back by `seq`, so that changes with equal times are not missed. Sends no request and holds no connection before
 * the first `loadOlder`.
 */
export function createActivityLog({
  client,
  feed,
}: {
  readonly client: Pick<StoaClient, 'readChanges'>;
  readonly feed: Pick<FeedConnection, 'workspaceId' | 'position' | 'subscribe'>;
}): ActivityLog {
  const bySeq = new Map<number, ChangeRecord>();
  const state = createStore<ActivityLogState>({
    changes: [],
    busy: false,
    error: null,
    hasLooked: false,
    hasOlder: true,
  });
  /** Everything after this position has been requested. Null before the first page. */
  let reached: number | null = null;

  function publish(change: Partial<ActivityLogState>) {
    const hasOlder = reached === null || reached > 0;
    state.set({
      ...state.get(),
      changes: [...bySeq.values()],
      hasLooked: reached !== null,
      hasOlder,
      ...change,
    });
  }

  async function loadPage(): Promise<readonly ChangeRecord[]> {
    const end = reached ?? (await feed.position());
    const sinceSeq = Math.max(0, end - pageSeqs);
    const query = { sinceSeq, limit: pageSeqs, includeComments: true };
    const { changes } = await client.readChanges(feed.workspaceId, query);
    for (const change of changes) bySeq.set(change.seq, change);
    reached = sinceSeq;
    return changes.filter(({ seq }) => seq <= end);
  }

  return {
    state,
    loadOlder: async (matters) => {
      if (state.get().busy || reached === 0) return;
      publish({ busy: true, error: null });
      try {
        for (let page = 0; page < pagesAtOnceMax; page += 1) {
          const found = await loadPage();
          if (found.some(matters) || reached === 0) break;
        }
        publish({ busy: false });
      } catch (error) {
        publish({ busy: false, error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    follow: () =>
      feed.subscribe({
        page: ({ changes }) => {
          for (const change of changes) bySeq.set(change.seq, change);
          publish({});
        },
      }),
  };
}
