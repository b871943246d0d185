import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createConnectionQueues } from '../concurrency/connection-queues.ts';
import type { HttpMetrics } from './http-metrics.ts';

/**
 * Serves `GET /metrics` on a separate port, so that the public one never exposes it.
 * @param isForeign whether a request names another host, because a page could read the metrics through DNS rebinding
 */
export function createMetricsListener(
  metrics: HttpMetrics,
  isForeign: (request: IncomingMessage) => boolean,
): Server {
  const rounds = createConnectionQueues();
  /** Concurrent requests share one collection. */
  let making: Promise<string> | null = null;
  const textOf = () => {
    making ??= metrics.text().finally(() => {
      making = null;
    });
    return making;
  };
  const server = createServer((request, response) =>
    rounds.take(request, response, () => {
      if (isForeign(request)) {
        response.writeHead(403).end('This name is not in STOA_BASE_URL or STOA_ALLOWED_HOSTS.\n');
        return;
      }
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      textOf().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }),
  );
  return server.once('close', () => rounds[Symbol.dispose]());
}
