import type { Config } from './config/parse-config.ts';
import type { HttpMetrics } from './metrics/http-metrics.ts';
import { bothObservers, type StoreObserver } from './metrics/measure-stores.ts';
import type { Traces } from './tracing/traces.ts';

/** Metrics and traces. Disabled ones are not even loaded. */
export interface Observers {
  readonly metrics: HttpMetrics | null;
  readonly traces: Traces | null;
  /** Combines both. */
  readonly stores: StoreObserver | null;
}

export async function createObservers(
  { metricsPort, traces: settings }: Config,
  reportProblem: (message: string, cause: unknown) => void,
): Promise<Observers> {
  let metrics: HttpMetrics | null = null;
  let traces: Traces | null = null;
  if (metricsPort !== null) {
    const { createHttpMetrics } = await import('./metrics/http-metrics.ts');
    metrics = createHttpMetrics();
  }
  if (settings !== null) {
    const { openTraces } = await import('./tracing/open-traces.ts');
    traces = openTraces(settings, reportProblem);
  }
  const stores =
    metrics !== null && traces !== null
      ? bothObservers(metrics.stores, traces.stores)
      : (metrics?.stores ?? traces?.stores ?? null);
  return { metrics, traces, stores };
}
