import type { IncomingMessage } from 'node:http';

/** A header as it was sent, null when it was not. Repeated ones are joined by commas, as the protocol allows. */
export function header({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}

/** The length a request declares for its body; 0 without a body, null when it comes in chunks of unknown number. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

export function hasBody(request: Pick<IncomingMessage, 'headers'>): boolean {
  return declaredBytes(request) !== 0;
}
