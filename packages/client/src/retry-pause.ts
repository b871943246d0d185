const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** A service that asks for more is asked again after this long. */
const longestAskedPauseMs = 15 * 60_000;

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
