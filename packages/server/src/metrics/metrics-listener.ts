import { createServer, type Server } from 'node:http';
import type { HttpMetrics, MetricSamples } from './http-metrics.ts';

/**
 * Answers `GET /metrics`, on a port of its own so that the public one never shows it.
 * @param others what other threads counted.
 */
export function createMetricsListener(
  metrics: HttpMetrics,
  others: () => Promise<readonly MetricSamples[]>,
): Server {
  const textOf = async () => metrics.text(await others());
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    textOf().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
