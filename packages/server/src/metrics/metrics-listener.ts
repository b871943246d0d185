import { createServer, type Server } from 'node:http';
import type { HttpMetrics } from './http-metrics.ts';

/** Answers `GET /metrics`, on a port of its own so that the public one never shows it. */
export function createMetricsListener(metrics: HttpMetrics): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
