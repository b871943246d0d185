import { setTimeout as pause } from 'node:timers/promises';

/** How long a caller waits for the database, all its tries together, before it is told to come back. */
export const usualWaitMs = 10_000;
const triesMax = 200;
const firstBackoffMs = 5;
const longestBackoffMs = 400;

export type Try<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The same again may succeed. */
  | { readonly kind: 'again'; readonly reason: unknown };

/**
 * Tries until it is done, at most until `giveUpAt` (of `performance.now()`).
 * @returns what was done, or why the last try was not.
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

/** Grows, and differs: callers that failed together must not come back together. */
export function backoffMs(tries: number): number {
  const longest = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(tries, 10));
  return longest * (0.5 + Math.random() / 2);
}
