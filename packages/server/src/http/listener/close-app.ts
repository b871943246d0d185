import type { FastifyInstance } from 'fastify';

/** How often connections that have become idle are closed while the last requests are answered. */
const sweepMs = 100;

/**
 * Stops accepting connections and resolves once every accepted request was answered. After `graceMs` what is still open
 * is cut off.
 * @returns whether everything was answered in time.
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
