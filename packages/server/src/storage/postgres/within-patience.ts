import { setTimeout as pause } from 'node:timers/promises';

/** How long a restart of the database is sat out before the caller is told to come back. */
export const patienceMs = 10_000;
const triesMax = 200;
const firstPauseMs = 5;
const longestPauseMs = 400;

export type Try<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The same again may succeed. */
  | { readonly kind: 'again'; readonly reason: unknown };

/**
 * Tries until it is done, at most for `patienceMs`, with pauses that grow and differ: those who failed together must not
 * come back together. @returns what was done, or why the last try was not.
 */
export async function withinPatience<Result>(
  attempt: (tries: number) => Promise<Try<Result>>,
): Promise<Try<Result>> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    const tried = await attempt(tries);
    if (tried.kind === 'done' || tries >= triesMax) return tried;
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries, 10));
    const pauseMs = longest * (0.5 + Math.random() / 2);
    if (performance.now() + pauseMs >= giveUpAt) return tried;
    await pause(pauseMs);
  }
}
