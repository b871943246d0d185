import {
  FeedStoppedError,
  type FollowFeedOptions,
  followFeed,
  type StoaApiError,
  type StoaClient,
  StoaConnectionError,
} from '@stoa/client';
import type { ChangePage } from '@stoa/contract';
import { createStore, type Store } from '../store/store.ts';

export type FeedState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /**
   * Two requests in a row without a response, or a response that asks to come back: the server is busy or restarting.
   */
  | { readonly kind: 'failing'; readonly because: 'no_answer' | 'busy' }
  /** Stopped for good: signed out (401), or no longer a member (403, 404). */
  | { readonly kind: 'stopped'; readonly status: number };

export interface FeedListener {
  /** Each page of changes, oldest first, once in this connection; after a failure the same page may come again. */
  page?(page: ChangePage): void;
  /** The feed has nothing newer. After a failure: all missed changes have been reported. */
  reachedHead?(): void;
}

/** The visibility of the tab. */
export interface TabVisibility {
  isVisible(): boolean;
  subscribe(listener: () => void): () => void;
}

/** Follows the changes of a workspace for all parts of the page, with one request at a time. */
export interface FeedConnection {
  readonly workspaceId: string;
  readonly state: Store<FeedState>;
  /**
   * The feed's position before any read of the workspace: await it before reading a list or a file. It stays pending
   * while the server does not respond or the user is signed out.
   * @throws when the workspace is missing or the connection is closed.
   */
  position(): Promise<number>;
  subscribe(listener: FeedListener): () => void;
  /** Skips the backoff: the network is back, or the user signed in again. */
  retry(): void;
  /** The device is offline: reported at once, before requests fail. */
  disconnected(): void;
  close(): void;
}

/** A browser allows one origin six HTTP/1.1 connections, so only a visible tab may keep a long poll open. */
const visiblePace = { waitSeconds: 25, pollMs: 2000 };
const hiddenPace = { pollMs: 30_000 };
/** A single failed request is not reported: networks change, laptops wake. */
const failuresUntilSaid = 2;

export function createFeedConnection(options: {
  readonly client: Pick<StoaClient, 'readChanges'>;
  readonly workspaceId: string;
  readonly visibility: TabVisibility;
  readonly pace?: FollowFeedOptions['pace'];
}): FeedConnection {
  const { client, workspaceId, visibility } = options;
  const listeners = new Set<FeedListener>();
  const state = createStore<FeedState>({ kind: 'connecting' });
  const closed = new AbortController();
  let cursor: number | null = null;
  let round = new AbortController();
  const waiting: PromiseWithResolvers<number>[] = [];
  /** Why the position is unavailable, until the next retry. */
  let rejected: Error | null = null;

  /** The client for the follower. Every response, even one without changes, marks the connection as live. */
  const heard: Pick<StoaClient, 'readChanges'> = {
    readChanges: async (id, { waitSeconds, ...query }, callOptions) => {
      // A long poll would delay the report that a lost connection is back.
      const mayBeHeld = waitSeconds !== undefined && state.get().kind === 'live';
      const page = await client.readChanges(id, mayBeHeld ? { ...query, waitSeconds } : query, callOptions);
      state.set(live);
      if (page.changes.length === 0 && page.nextSeq === page.head) {
        for (const listener of [...listeners]) listener.reachedHead?.();
      }
      return page;
    },
  };

  function failed(error: Error, failures: number) {
    if (failures < failuresUntilSaid) return;
    state.set({ kind: 'failing', because: error instanceof StoaConnectionError ? 'no_answer' : 'busy' });
  }

  async function followRound(signal: AbortSignal): Promise<void> {
    const pace = visibility.isVisible() ? visiblePace : hiddenPace;
    await followFeed({
      client: cursor === null ? firstPosition(heard, (at) => begin(at)) : heard,
      workspaceId,
      cursor: cursor ?? 0,
      includeComments: true,
      ...pace,
      ...(options.pace === undefined ? {} : { pace: options.pace }),
      signal,
      handle: (page) => {
        for (const listener of [...listeners]) listener.page?.(page);
        if (page.nextSeq === page.head) for (const listener of [...listeners]) listener.reachedHead?.();
      },
      saveCursor: (at) => {
        cursor = at;
      },
      onRetry: (error, { failures }) => failed(error, failures),
    });
  }

  function begin(at: number) {
    cursor = at;
    for (const { resolve } of waiting.splice(0)) resolve(at);
  }

  function rejectWith(error: Error) {
    rejected = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  function position(): Promise<number> {
    if (cursor !== null) return Promise.resolve(cursor);
    if (rejected !== null) return Promise.reject(rejected);
    const asked = Promise.withResolvers<number>();
    waiting.push(asked);
    return asked.promise;
  }

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      round = new AbortController();
      rejected = null;
      try {
        await followRound(AbortSignal.any([closed.signal, round.signal]));
      } catch (error) {
        if (!(error instanceof FeedStoppedError)) throw error;
        state.set({ kind: 'stopped', status: error.status });
        // A user who is signed out may sign in again: the feed then continues.
        if (isNotThere(error.cause)) rejectWith(error.cause);
        await aborted(round.signal, closed.signal);
      }
    }
  }

  const unsubscribe = visibility.subscribe(() => round.abort());
  void run();

  return {
    workspaceId,
    state,
    position,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry: () => round.abort(),
    disconnected: () => {
      if (state.get().kind === 'live') state.set({ kind: 'failing', because: 'no_answer' });
    },
    close: () => {
      unsubscribe();
      closed.abort();
      rejectWith(new Error('The connection to the workspace was closed'));
    },
  };
}

const live: FeedState = { kind: 'live' };

/** The first request only reads the position: the list covers everything before it. */
function firstPosition(
  client: Pick<StoaClient, 'readChanges'>,
  begin: (at: number) => void,
): Pick<StoaClient, 'readChanges'> {
  let asked = false;
  return {
    readChanges: async (id, query, callOptions) => {
      if (asked) return client.readChanges(id, query, callOptions);
      const page = await client.readChanges(id, { sinceSeq: 0, limit: 0 }, callOptions);
      asked = true;
      begin(page.head);
      return { changes: [], head: page.head, nextSeq: page.head };
    },
  };
}

function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  const either = AbortSignal.any([...signals]);
  if (either.aborted) return Promise.resolve();
  return new Promise((resolve) => either.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * Whether an error means that the caller cannot see this. The page is the same for a missing and a forbidden one (T8).
 */
export function isNotThere(error: unknown): error is StoaApiError {
  return error instanceof Error && 'status' in error && (error.status === 403 || error.status === 404);
}
