import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { StoreObserver } from './measure-stores.ts';

export interface ObservedRequest {
  readonly method: string;
  /** The route's pattern, never the path: paths are private and unlimited in number. */
  readonly route: string;
  readonly status: number;
  readonly durationSeconds: number;
}

export interface HttpMetrics {
  /** Each request that begins is observed once it is over. */
  requestBegan(): void;
  observeRequest(request: ObservedRequest): void;
  readonly stores: StoreObserver;
  /** A value that is read when metrics are collected. */
  observeGauge(name: string, help: string, read: () => number): void;
  /** Returns the text format of Prometheus, with the metrics of the process. */
  text(): Promise<string>;
  readonly contentType: string;
}

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256];
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
    help: 'From the headers of a request to the end of its response',
    labelNames,
    buckets: durationBuckets,
    registers: [registry],
  });
  const underWay = new Gauge({
    name: 'stoa_http_requests_under_way',
    help: 'Requests that are not over, including waiting feed requests',
    registers: [registry],
  });
  return {
    stores: observeStores(registry),
    requestBegan: () => underWay.inc(),
    observeRequest({ method, route, status, durationSeconds }) {
      underWay.dec();
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

function observeStores(registry: Registry): StoreObserver {
  const durations = new Histogram({
    name: 'stoa_store_operation_duration_seconds',
    help: 'From a call of a store to its result, including the time in a queue',
    labelNames: ['store', 'operation', 'outcome'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const underWay = new Gauge({
    name: 'stoa_store_operations_under_way',
    help: 'Operations of a store that wait or run',
    labelNames: ['store', 'operation'],
    registers: [registry],
  });
  const batches = new Histogram({
    name: 'stoa_commit_changes',
    help: 'Changes that were sent to be committed together',
    buckets: batchBuckets,
    registers: [registry],
  });
  return {
    began({ store, operation }) {
      const startedAt = performance.now();
      underWay.inc({ store, operation });
      return {
        sent() {},
        over(outcome) {
          underWay.dec({ store, operation });
          durations.observe({ store, operation, outcome }, (performance.now() - startedAt) / 1000);
        },
      };
    },
    batch: (changes) => batches.observe(changes),
  };
}
