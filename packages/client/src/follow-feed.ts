import type { ChangePage } from '@stoa/contract';
import { FeedStoppedError, StoaApiError, StoaConnectionError } from './errors.ts';
import type { StoaClient } from './stoa-client.ts';

/** The passing of time and chance, as a follower of the feed sees them. */
export interface FeedPace {
  /** Milliseconds from any fixed moment. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to and without 1. */
  random(): number;
}

export interface FollowFeedOptions {
  readonly client: Pick<StoaClient, 'readChanges'>;
  readonly workspaceId: string;
  /** As last saved; 0 begins with the first change. */
  readonly cursor: number;
  /**
   * Called with each page that has changes, one at a time. The page after the last saved cursor comes again after a
   * crash, so a change that was handled before must do no harm. What it throws ends the following.
   */
  handle(page: ChangePage): Promise<void> | void;
  /** Called when a page has been handled, and for pages without changes that move the cursor. */
  saveCursor(cursor: number): Promise<void> | void;
  /** Ends the following: the promise then resolves, after a page that is being handled. */
  readonly signal: AbortSignal;
  /** How often to ask while there is nothing new. 2000 by default. */
  readonly pollMs?: number;
  /** Lets the service hold each request until there is something new: 1 to 30. */
  readonly waitSeconds?: number;
  readonly includeComments?: boolean;
  readonly limit?: number;
  /** Told of every failure that is tried again. */
  onRetry?(error: Error, retry: { readonly failures: number; readonly pauseMs: number }): void;
  readonly pace?: FeedPace;
}

const defaultPollMs = 2000;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** A service that asks for more is asked again after this long. */
const longestAskedPauseMs = 15 * 60_000;

/** By the machine's own timers. */
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
 * Follows a workspace's changes until the signal ends it, by its cursor rules (interface: feed, Cursor rules): it goes on
 * from `nextSeq`, never from the last change, and saves the cursor only after the page was handled. Failures that pass
 * are tried again, ever more slowly, for as long as it takes.
 *
 * @throws FeedStoppedError when the service refuses for good: with 401, 403, 404 or similar.
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
    // The rest of the interval: nothing after a request that the service held, and a full one where it holds none.
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

/** A cursor must never be saved that would skip changes or go back to some. */
function faultOf(page: ChangePage, sinceSeq: number): StoaApiError | null {
  const { changes, head, nextSeq } = page;
  const isSound =
    Array.isArray(changes) &&
    Number.isSafeInteger(head) &&
    Number.isSafeInteger(nextSeq) &&
    nextSeq >= sinceSeq;
  if (isSound) return null;
  return new StoaApiError(
    'The answer is not a page of changes: is the base address that of a Stoa service?',
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
 * How long to wait after `failures` failures in a row (from 1): doubling up to a minute, half of it by chance, so that
 * the clients of a service that comes back do not all come back with it. Never sooner than the service asks.
 *
 * @param random from 0 up to and without 1.
 */
export function retryPauseMs(failures: number, retryAfterSeconds: number | null, random: number): number {
  const doubled = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 30));
  const asked = Math.min(longestAskedPauseMs, (retryAfterSeconds ?? 0) * 1000);
  return Math.max(asked, doubled / 2 + (doubled / 2) * random);
}
