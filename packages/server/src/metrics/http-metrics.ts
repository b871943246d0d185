import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface ObservedRequest {
  readonly method: string;
  /** The pattern, never the path itself: paths are private, and without number. */
  readonly route: string;
  readonly status: number;
  readonly durationSeconds: number;
}

export interface HttpMetrics {
  observeRequest(request: ObservedRequest): void;
  /** A value that is read when metrics are collected. */
  observeGauge(name: string, help: string, read: () => number): void;
  /** The text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'stoa_http_requests_total',
    help: 'Requests that are over',
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'stoa_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer',
    labelNames,
    buckets: durationBuckets,
    registers: [registry],
  });
  return {
    observeRequest({ method, route, status, durationSeconds }) {
      const labels = { method, route, status: String(status) };
      requests.inc(labels);
      durations.observe(labels, durationSeconds);
    },
    observeGauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
