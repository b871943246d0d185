import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import { type RequestOrigin, refuseCrossSite } from '../../auth/refuse-cross-site.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * `refuseCrossSite`, for the methods that change something.
 * @throws WorkspaceError `cross_site_request`
 */
export function refuseCrossSiteChange(
  method: string,
  origin: RequestOrigin,
  trustedOrigins: readonly string[],
): void {
  if (!safeMethods.has(method)) refuseCrossSite(origin, trustedOrigins);
}

/** Where a browser would run or embed what it loads: bytes that people uploaded are never served for it. */
const activeDestinations: ReadonlySet<string> = new Set([
  'script',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
  'style',
  'xslt',
  'object',
  'embed',
  'manifest',
]);

/** @throws WorkspaceError `unsafe_destination` */
export function refuseActiveDestination(secFetchDest: string | null): void {
  if (secFetchDest !== null && activeDestinations.has(secFetchDest.toLowerCase())) {
    throw new WorkspaceError('unsafe_destination');
  }
}

/** The host names in these addresses, and this machine's own. */
export function hostNamesOf(addresses: readonly string[], names: readonly string[]): ReadonlySet<string> {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  for (const address of addresses) own.add(new URL(address).hostname);
  return own;
}

/** How many headers are remembered: a server is called by few names, but each address in digits is accepted too. */
const acceptedMax = 100;

/**
 * Finds what speaks against a request's `Host`: a name that is not this server's. Somebody pointed a name of theirs at it,
 * so that a page of theirs counts as this server's own in its visitor's browser (DNS rebinding). Every browser sends the
 * header; HTTP/1.0 health checks may leave it out.
 * @returns the refusal `foreign_host`, or `invalid_request` for more than one header: which of them counts is anybody's guess.
 */
export function hostChecker(own: ReadonlySet<string>): (request: IncomingMessage) => WorkspaceError | null {
  // Every request asks, and nearly all of them with the same few headers: parsing each is a cost that shows.
  const accepted = new Set<string>();
  return (request) => {
    if (countHosts(request.rawHeaders) > 1)
      return invalidRequest('The request has more than one Host header');
    const { host } = request.headers;
    if (host === undefined || accepted.has(host)) return null;
    const name = hostNameOf(host);
    // An address in digits is not a name, so nobody can have pointed it here.
    if (isIP(name) === 0 && !own.has(name)) return new WorkspaceError('foreign_host');
    if (accepted.size < acceptedMax) accepted.add(host);
    return null;
  };
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
