import type { EngineDeps } from './engine.ts';
import { RemoteFailure } from './ports/remote-workspace.ts';

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/**
 * Retries a request that failed temporarily, with exponential backoff and 50 % jitter, up to `retryBudgetMs`. Only for
 * requests that may be repeated. All requests of the engine may, because each names the state that it was planned on.
 */
export async function withRetryBudget<Result>(
  { pace, settings, signal, onEvent }: Pick<EngineDeps, 'pace' | 'settings' | 'signal' | 'onEvent'>,
  request: () => Promise<Result>,
): Promise<Result> {
  const until = pace.now() + settings.retryBudgetMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RemoteFailure) || error.kind !== 'passing' || signal.aborted) throw error;
      const doubled = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
      const chosen = doubled / 2 + (doubled / 2) * pace.random();
      const pauseMs = Math.max((error.retryAfterSeconds ?? 0) * 1000, chosen);
      if (pace.now() + pauseMs > until) throw error;
      onEvent({ event: 'retry', message: error.message, pauseMs });
      await pace.sleep(pauseMs, signal);
    }
  }
}
