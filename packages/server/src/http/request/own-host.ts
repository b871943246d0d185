import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { invalidRequest, WorkspaceError } from '@stoa/core';

/** The host names in these addresses, and this machine's own. */
export function hostNamesOf(addresses: readonly string[], names: readonly string[]): ReadonlySet<string> {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  for (const address of addresses) own.add(new URL(address).hostname);
  return own;
}

/**
 * Refuses a request for a name that is not this server's: somebody pointed a name of theirs at it, so that a page of theirs
 * counts as this server's own in its visitor's browser (DNS rebinding). Every browser sends the header; HTTP/1.0 health
 * checks may leave it out.
 * @throws WorkspaceError `foreign_host`, `invalid_request` for more than one header: which of them counts is anybody's guess.
 */
export function refuseForeignHost(request: IncomingMessage, own: ReadonlySet<string>): void {
  if (countHosts(request.rawHeaders) > 1) throw invalidRequest('The request has more than one Host header');
  const { host } = request.headers;
  if (host === undefined) return;
  const name = hostNameOf(host);
  // An address in digits is not a name, so nobody can have pointed it here.
  if (isIP(name) === 0 && !own.has(name)) throw new WorkspaceError('foreign_host');
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** `Name:4700` → `name`, `[::1]:4700` → `::1`; empty when it is not a host. */
function hostNameOf(host: string): string {
  if (/[@/?#\\]/.test(host)) return '';
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
  return name.startsWith('[') ? name.slice(1, -1) : name;
}
