import type { StoaClient } from '@stoa/client';
import type { ChangePage } from '@stoa/contract';
import { createStore, type Store } from '../store/store.ts';
import type { FeedConnection, TabVisibility } from './feed-connection.ts';
import type { ListResponse } from './list-response.ts';
import { indexListing, type ListData, type Listing, listDataOf, withListed } from './listing-index.ts';

export type ListingState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly listing: Listing }
  | { readonly kind: 'failed'; readonly error: Error };

/** The list of a workspace, kept current by its feed. */
export interface LiveListing {
  readonly state: Store<ListingState>;
  /** Asks for the whole list again. */
  reload(): void;
  /** Shows a change optimistically. The returned function reverts it; the next list response replaces it either way. */
  show(change: (data: ListData) => ListData): () => void;
  close(): void;
}

/** Above this many changed paths, one full list is cheaper than a list per path. */
const singlePathsMax = 20;
/** Changes come in bursts: an agent that saves ten files causes one round of requests. */
const gatherMs = 300;
/** The feed has no changes of icons, order and privacy of items. */
const staleMs = 60_000;

export function createListing(options: {
  readonly client: Pick<StoaClient, 'list'>;
  readonly feed: FeedConnection;
  readonly visibility: TabVisibility;
  readonly now?: () => number;
  readonly gather?: (run: () => void) => () => void;
}): LiveListing {
  const { client, feed, visibility, now = () => performance.now() } = options;
  const gather = options.gather ?? afterGathering;
  const { workspaceId } = feed;
  const state = createStore<ListingState>({ kind: 'loading' });
  const closed = new AbortController();
  let wanted: Wanted = { kind: 'all' };
  let asking = false;
  let cancelGathering: (() => void) | null = null;
  let data: ListData | null = null;
  let listedAt = 0;

  function publish(next: ListData) {
    data = next;
    state.set({ kind: 'ready', listing: indexListing(next) });
  }

  async function ask(): Promise<void> {
    if (asking || wanted.kind === 'nothing' || closed.signal.aborted) return;
    const asked = wanted;
    wanted = nothing;
    asking = true;
    try {
      // Read the position first: the feed then reports changes made while the list is created.
      await feed.position();
      publish(asked.kind === 'all' || data === null ? await listAll() : await listPaths(data, asked.paths));
    } catch (error) {
      if (closed.signal.aborted) return;
      if (!(error instanceof Error)) throw error;
      wanted = both(asked, wanted);
      if (data === null || isRejection(error)) state.set({ kind: 'failed', error });
      return;
    } finally {
      asking = false;
    }
    await ask();
  }

  async function listAll(): Promise<ListData> {
    const response = await list('');
    listedAt = now();
    return listDataOf(response);
  }

  async function listPaths(from: ListData, paths: ReadonlySet<string>): Promise<ListData> {
    let next = from;
    for (const path of paths) next = withListed(next, path, await list(path));
    return next;
  }

  function list(prefix: string): Promise<ListResponse> {
    const options = { details: true, signal: closed.signal } as const;
    return client.list(workspaceId, prefix === '' ? options : { ...options, prefix });
  }

  function want(more: Wanted) {
    if (more.kind === 'nothing') return;
    wanted = both(wanted, more);
    cancelGathering ??= gather(() => {
      cancelGathering = null;
      void ask();
    });
  }

  const unsubscribe = feed.subscribe({
    page: (page) => want(wantedAfter(page)),
    reachedHead: () => void ask(),
  });
  const unwatch = visibility.subscribe(() => {
    if (visibility.isVisible() && now() - listedAt > staleMs) want({ kind: 'all' });
  });
  void ask();

  return {
    state,
    reload: () => {
      if (state.get().kind === 'failed') state.set({ kind: 'loading' });
      wanted = { kind: 'all' };
      void ask();
    },
    show: (change) => {
      if (data === null) return () => {};
      const before = data;
      const shown = change(before);
      publish(shown);
      return () => {
        if (data === shown) publish(before);
        else want({ kind: 'all' });
      };
    },
    close: () => {
      unsubscribe();
      unwatch();
      cancelGathering?.();
      closed.abort();
    },
  };
}

type Wanted =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'paths'; readonly paths: ReadonlySet<string> }
  | { readonly kind: 'all' };

const nothing: Wanted = { kind: 'nothing' };

/**
 * The paths to list again after a page of changes. Comments change no list; the feed does not name items that access
 * uncovers.
 */
export function wantedAfter(page: ChangePage): Wanted {
  let wanted = nothing;
  for (const change of page.changes) {
    switch (change.op) {
      case 'access_revoked':
      case 'access_granted':
        return { kind: 'all' };
      case 'comment_created':
      case 'comment_replied':
      case 'comment_resolved':
      case 'comment_reopened':
        break;
      case 'write':
      case 'move':
      case 'delete':
      case 'conflict':
      case 'restore':
        wanted = both(wanted, { kind: 'paths', paths: new Set([change.path]) });
    }
  }
  return wanted;
}

function both(a: Wanted, b: Wanted): Wanted {
  if (a.kind === 'nothing') return b;
  if (b.kind === 'nothing') return a;
  if (a.kind === 'all' || b.kind === 'all') return { kind: 'all' };
  const paths = new Set([...a.paths, ...b.paths]);
  return paths.size > singlePathsMax ? { kind: 'all' } : { kind: 'paths', paths };
}

/** Whether the workspace is gone or no longer visible to the user: its list must disappear. */
function isRejection(error: Error): boolean {
  return 'status' in error && (error.status === 403 || error.status === 404);
}

function afterGathering(run: () => void): () => void {
  const timer = setTimeout(run, gatherMs);
  return () => clearTimeout(timer);
}
