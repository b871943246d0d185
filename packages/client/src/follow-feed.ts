import type { ChangePage } from '@stoa/contract';
import { FeedStoppedError, StoaApiError, StoaConnectionError } from './errors.ts';
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
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** Upper limit of the pause that a service may ask for. */
const longestAskedPauseMs = 15 * 60_000;

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
  let { cursor } = options;
  let failures = 0;
  while (!signal.aborted) {
    const askedAt = pace.now();
    const page = await readPage(options, cursor);
    if (signal.aborted) return;
    if (page instanceof Error) {
      if (page instanceof StoaApiError && isFinal(page.status)) throw new FeedStoppedError(workspaceId, page);
      failures += 1;
      const asked = page instanceof StoaApiError ? page.retryAfterSeconds : null;
      const pauseMs = retryPauseMs(failures, asked, pace.random());
      options.onRetry?.(page, { failures, pauseMs });
      await pace.sleep(pauseMs, signal);
      continue;
    }
    failures = 0;
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
): Promise<ChangePage | StoaApiError | StoaConnectionError> {
  try {
    const query = {
      sinceSeq,
      ...(limit === undefined ? {} : { limit }),
      ...(includeComments === undefined ? {} : { includeComments }),
      ...(waitSeconds === undefined ? {} : { waitSeconds }),
    };
    const page = await client.readChanges(workspaceId, query, { signal });
    return faultOf(page, sinceSeq) ?? page;
  } catch (error) {
    if (error instanceof StoaApiError || error instanceof StoaConnectionError) return error;
    if (signal.aborted) return new StoaConnectionError('ended by its caller', { cause: error });
    throw error;
  }
}

/** Never save a cursor that would skip changes or go back. */
function faultOf(page: ChangePage, sinceSeq: number): StoaApiError | null {
  const { changes, head, nextSeq } = page;
  const isSound =
    Array.isArray(changes) &&
    Number.isSafeInteger(head) &&
    Number.isSafeInteger(nextSeq) &&
    nextSeq >= sinceSeq;
  if (isSound) return null;
  return new StoaApiError(
    'The response is not a page of changes: is the base address that of a Stoa service?',
    {
      status: 200,
    },
  );
}

function isFinal(status: number): boolean {
  const passes = status === 408 || status === 425 || status === 429;
  return status >= 400 && status < 500 && !passes;
}

/**
 * Returns the pause after `failures` failures in a row (from 1). It doubles up to a minute, with 50 % jitter, so that
 * the clients of a recovering service do not return all at once. It is never shorter than the service asks.
 *
 * @param random at least 0, below 1
 */
export function retryPauseMs(failures: number, retryAfterSeconds: number | null, random: number): number {
  const doubled = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 30));
  const asked = Math.min(longestAskedPauseMs, (retryAfterSeconds ?? 0) * 1000);
  return Math.max(asked, doubled / 2 + (doubled / 2) * random);
}
