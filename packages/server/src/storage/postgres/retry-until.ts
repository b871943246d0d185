import { setTimeout as pause } from 'node:timers/promises';

/** Timeout of a caller for the database, over all its attempts. */
export const usualWaitMs = 10_000;
const triesMax = 200;
const firstBackoffMs = 5;
const longestBackoffMs = 400;

export type Try<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** A retry may succeed. */
  | { readonly kind: 'again'; readonly reason: unknown };

/**
 * Retries until it succeeds, at most until `giveUpAt` (of `performance.now()`).
 * @returns the result, or the failure of the last attempt.
 */
export async function retryUntil<Result>(
  giveUpAt: number,
  attempt: (tries: number) => Promise<Try<Result>>,
): Promise<Try<Result>> {
  for (let tries = 1; ; tries += 1) {
    const tried = await attempt(tries);
    if (tried.kind === 'done' || tries >= triesMax) return tried;
    const pauseMs = backoffMs(tries);
    if (performance.now() + pauseMs >= giveUpAt) return tried;
    await pause(pauseMs);
  }
}

/** Exponential backoff with jitter: callers that failed together must not retry together. */
export function backoffMs(tries: number): number {
  const longest = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(tries, 10));
  return longest * (0.5 + Math.random() / 2);
}
