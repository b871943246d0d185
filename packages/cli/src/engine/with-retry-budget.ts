import { retry } from '@stoa/client/retry';
import type { EngineDeps } from './engine.ts';
import { RemoteFailure } from './ports/remote-workspace.ts';

/**
 * Retries a request that failed temporarily, up to `retryBudgetMs`. Only for requests that may be repeated. All requests
 * of the engine may, because each names the state that it was planned on.
 */
export function withRetryBudget<Result>(
  { pace, settings, signal, onEvent }: Pick<EngineDeps, 'pace' | 'settings' | 'signal' | 'onEvent'>,
  request: () => Promise<Result>,
): Promise<Result> {
  return retry(request, {
    pace,
    signal,
    withinMs: settings.retryBudgetMs,
    askedSeconds: (error) =>
      error instanceof RemoteFailure && error.kind === 'passing' ? error.retryAfterSeconds : 'final',
    onRetry: (error, { pauseMs }) =>
      onEvent({ event: 'retry', message: (error as RemoteFailure).message, pauseMs }),
  });
}
