import type { FastifyInstance } from 'fastify';

/** Interval for closing connections that have become idle while the last requests are served. */
const sweepMs = 100;

/**
 * Stops accepting connections and resolves when every accepted request has its response. After `graceMs`, open
 * connections are cut off.
 * @returns whether all requests got their response in time
 */
export async function closeApp(app: FastifyInstance, graceMs: number): Promise<'answered' | 'cut off'> {
  let outcome: 'answered' | 'cut off' = 'answered';
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
  const cutOff = setTimeout(() => {
    outcome = 'cut off';
    app.server.closeAllConnections();
  }, graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cutOff);
  }
  return outcome;
}
