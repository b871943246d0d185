import type { IncomingMessage } from 'node:http';

/** A header as it was sent, null when it was not. Repeated ones are joined by commas, as the protocol allows. */
export function header({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}
