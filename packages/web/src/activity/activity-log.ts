import type { StoaClient } from '@stoa/client';
import type { ChangeRecord } from '@stoa/contract';
import type { FeedConnection } from '../api/feed-connection.ts';
import { createStore, type Store } from '../store/store.ts';

export interface ActivityLogState {
  /** In no order, each once. */
  readonly changes: readonly ChangeRecord[];
  readonly busy: boolean;
  readonly error: Error | null;
  /** Whether anything was answered yet. */
  readonly hasLooked: boolean;
  /** Whether there is something before the oldest change that was asked for. */
  readonly hasOlder: boolean;
}

/** The changes of a workspace, from now backwards for as far as somebody looked. */
export interface ActivityLog {
  readonly state: Store<ActivityLogState>;
  /** Goes back until a change that matters was found, or for so many pages: "Older changes" has to show something. */
  loadOlder(matters: (change: ChangeRecord) => boolean): Promise<void>;
  /** Takes in what comes from now on, until what it returns is called. */
  follow(): () => void;
}

/** A page of the walk back. The feed's own pages go forward, so each is asked for by where it begins. */
const pageSeqs = 200;
const pagesAtOnceMax = 10;

/**
 * Walks back by `seq`, so that no change is missed where many share a time. Nothing is asked for before the first
 * `loadOlder`, and nothing is held by who only made it.
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
  /** Everything after this has been asked for. Null before the first page. */
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
