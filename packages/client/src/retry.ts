/** Pauses between the attempts of a request. */
export interface RetryDelays {
  /** After the first failure, the second, …. The last one repeats. */
  readonly pausesMs: readonly number[];
  /** Random share of a pause, from 0 to 1, so that the clients of a recovering service do not return all at once. */
  readonly jitter: number;
}

const usualDelays: RetryDelays = {
  pausesMs: [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000],
  jitter: 0.5,
};
/** Upper limit of the pause that a service may ask for. */
const askedMsMax = 15 * 60_000;

/**
 * Returns the pause after `failures` failures in a row (from 1). It is never shorter than the service asks.
 *
 * @param random from 0 to 1, which is the whole pause
 */
export function retryPauseMs(
  failures: number,
  retryAfterSeconds: number | null,
  random: number,
  { pausesMs, jitter } = usualDelays,
): number {
  const longest = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0;
  const asked = Math.min(askedMsMax, (retryAfterSeconds ?? 0) * 1000);
  return Math.max(asked, longest * (1 - jitter + jitter * random));
}

export interface RetryOptions {
  readonly pace: {
    /** Milliseconds from any fixed moment. */
    now(): number;
    /** Resolves after `ms`, or when the signal aborts. */
    sleep(ms: number, signal: AbortSignal): Promise<void>;
    /** At least 0, below 1. `Math.random` by default. */
    random?(): number;
  };
  /** Ends the attempts and pauses. */
  readonly signal: AbortSignal;
  /** Doubling pauses up to a minute by default. */
  readonly delays?: RetryDelays;
  /** Attempts in all. Without limit by default. */
  readonly triesMax?: number;
  /** No pause ends later than this after the start. Without limit by default. */
  readonly withinMs?: number;
  /** The seconds that the service asks to wait; null if it asks for none. `final`: another attempt is useless. */
  askedSeconds(error: unknown): number | null | 'final';
  /** Called before each pause. */
  onRetry?(error: unknown, retry: { readonly failures: number; readonly pauseMs: number }): void;
}

/**
 * Repeats a request until it succeeds. Only for requests that may be repeated.
 *
 * @throws the last error; the signal's reason if it aborts in a pause
 */
export async function retry<Result>(request: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { pace, signal, delays, triesMax = Infinity, withinMs = Infinity } = options;
  const until = pace.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      const asked = options.askedSeconds(error);
      if (asked === 'final' || failures >= triesMax || signal.aborted) throw error;
      const pauseMs = retryPauseMs(failures, asked, pace.random?.() ?? Math.random(), delays);
      if (pace.now() + pauseMs > until) throw error;
      options.onRetry?.(error, { failures, pauseMs });
      await pace.sleep(pauseMs, signal);
      signal.throwIfAborted();
    }
  }
}
