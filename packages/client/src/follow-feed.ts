import type { ChangePage } from '@stoa/contract';
import { FeedStoppedError, StoaApiError, StoaConnectionError } from './errors.ts';
import { type RetryOptions, retry } from './retry.ts';
import type { StoaClient } from './stoa-client.ts';

/** The clock and randomness of a follower of the feed. */
export interface FeedPace {
  /** Milliseconds from any fixed moment. */
  now(): number;
  /** Resolves after `ms`, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** At least 0, below 1. */
  random(): number;
}

export interface FollowFeedOptions {
  readonly client: Pick<StoaClient, 'readChanges'>;
  readonly workspaceId: string;
  /** As last saved; 0 starts with the first change. */
  readonly cursor: number;
  /**
   * Called with each page that has changes, one at a time. The page after the last saved cursor comes again after a
   * crash, so handling a change twice must be harmless. An error that it throws ends `followFeed`.
   */
  handle(page: ChangePage): Promise<void> | void;
  /** Called when a page was handled, and for pages without changes that move the cursor. */
  saveCursor(cursor: number): Promise<void> | void;
  /** Ends `followFeed`: the promise resolves after the page that is being handled. */
  readonly signal: AbortSignal;
  /** Interval between requests without news. 2000 by default. */
  readonly pollMs?: number;
  /** Lets the service hold each request until there is news: 1 to 30. */
  readonly waitSeconds?: number;
  readonly includeComments?: boolean;
  readonly limit?: number;
  /** Called before each retry. */
  onRetry?(error: Error, retry: { readonly failures: number; readonly pauseMs: number }): void;
  readonly pace?: FeedPace;
}

const defaultPollMs = 2000;

/** Uses the real clock and timers. */
export const realPace: FeedPace = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    }),
};

/**
 * Follows a workspace's changes by its cursor rules until the signal ends it (interface: feed, Cursor rules). It
 * continues from `nextSeq`, never from the last change, and saves the cursor only after the page was handled.
 * Temporary failures are retried without limit, with growing pauses.
 *
 * @throws FeedStoppedError if the service rejects the request permanently: with 401, 403, 404 or similar
 */
export async function followFeed(options: FollowFeedOptions): Promise<void> {
  const { workspaceId, signal, pollMs = defaultPollMs, pace = realPace } = options;
  const onRetry: RetryOptions['onRetry'] = (error, each) => options.onRetry?.(error as Error, each);
  let { cursor } = options;
  let askedAt = 0;
  const ask = () => {
    askedAt = pace.now();
    return readPage(options, cursor);
  };
  while (!signal.aborted) {
    const page = await retry(ask, { pace, signal, askedSeconds, onRetry }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error instanceof StoaApiError ? new FeedStoppedError(workspaceId, error) : error;
    });
    if (page === null || signal.aborted) return;
    if (page.changes.length > 0) await options.handle(page);
    const moved = page.nextSeq !== cursor;
    cursor = page.nextSeq;
    if (moved) await options.saveCursor(cursor);
    // Wait for the rest of the interval: none after a request that the service held, the full interval otherwise.
    const restMs = pollMs - (pace.now() - askedAt);
    const isIdle = options.waitSeconds === undefined ? cursor === page.head || !moved : !moved;
    if (isIdle && restMs > 0) await pace.sleep(restMs, signal);
  }
}

async function readPage(
  { client, workspaceId, limit, includeComments, waitSeconds, signal }: FollowFeedOptions,
  sinceSeq: number,
): Promise<ChangePage> {
  const query = {
    sinceSeq,
    ...(limit === undefined ? {} : { limit }),
    ...(includeComments === undefined ? {} : { includeComments }),
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
  };
  const page = await client.readChanges(workspaceId, query, { signal });
  requireSound(page, sinceSeq);
  return page;
}

/** Never save a cursor that would skip changes or go back. */
function requireSound(page: ChangePage, sinceSeq: number): void {
  const { changes, head, nextSeq } = page;
  const isSound =
    Array.isArray(changes) &&
    Number.isSafeInteger(head) &&
    Number.isSafeInteger(nextSeq) &&
    nextSeq >= sinceSeq;
  if (isSound) return;
  throw new StoaApiError(
    'The response is not a page of changes: is the base address that of a Stoa service?',
    {
      status: 200,
    },
  );
}

function askedSeconds(error: unknown): number | null | 'final' {
  if (error instanceof StoaConnectionError) return null;
  if (!(error instanceof StoaApiError)) return 'final';
  const { status, retryAfterSeconds } = error;
  const passes = status < 400 || status >= 500 || status === 408 || status === 425 || status === 429;
  return passes ? retryAfterSeconds : 'final';
}
