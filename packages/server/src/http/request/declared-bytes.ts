import type { IncomingMessage } from 'node:http';

/** The length a request declares for its body; 0 without a body, null when it comes in chunks of unknown number. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

export function hasBody(request: Pick<IncomingMessage, 'headers'>): boolean {
  return declaredBytes(request) !== 0;
}
