import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import { type RequestOrigin, rejectCrossSite } from '../../auth/reject-cross-site.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Applies `rejectCrossSite` to methods that change something.
 * @throws WorkspaceError `cross_site_request`
 */
export function rejectCrossSiteChange(
  method: string,
  origin: RequestOrigin,
  trustedOrigins: readonly string[],
): void {
  if (!safeMethods.has(method)) rejectCrossSite(origin, trustedOrigins);
}

/** Destinations in which a browser runs or embeds what it loads. Uploaded bytes are never served to them. */
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

/** Rejects destinations that run or embed. @throws WorkspaceError `unsafe_destination` */
export function rejectActiveDestination(secFetchDest: string | null): void {
  if (secFetchDest !== null && activeDestinations.has(secFetchDest.toLowerCase())) {
    throw new WorkspaceError('unsafe_destination');
  }
}

/** The names of this server: those in its addresses, and those that the operator allows. */
export function ownHosts({
  baseUrl,
  appUrl,
  contentUrl,
  trustedOrigins,
  allowedHosts,
}: {
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly contentUrl: string | null;
  readonly trustedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
}): ReadonlySet<string> {
  const addresses = [baseUrl, appUrl, ...trustedOrigins, ...(contentUrl === null ? [] : [contentUrl])];
  return hostNamesOf(addresses, allowedHosts);
}

/** The host names in these addresses, and `localhost`. */
export function hostNamesOf(addresses: readonly string[], names: readonly string[]): ReadonlySet<string> {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  for (const address of addresses) own.add(new URL(address).hostname);
  return own;
}

/** Maximum number of cached headers. A server has few names, but any IP address is accepted. */
const acceptedMax = 100;

/**
 * Checks a request's `Host`. A name that is not this server's may be a foreign domain that points here, so that its
 * pages count as the server's own in a browser (DNS rebinding). Every browser sends the header; HTTP/1.0 health
 * checks may omit it.
 * @returns the error `foreign_host`, or `invalid_request` for more than one header, because it is unclear which one
 * counts
 */
export function hostChecker(own: ReadonlySet<string>): (request: IncomingMessage) => WorkspaceError | null {
  // Runs for every request, nearly always with the same few headers, and parsing each of them is a noticeable cost.
  const accepted = new Set<string>();
  return (request) => {
    if (countHosts(request.rawHeaders) > 1)
      return invalidRequest('The request has more than one Host header');
    const { host } = request.headers;
    if (host === undefined || accepted.has(host)) return null;
    const name = hostNameOf(host);
    // An IP address is not a name, so it cannot be a foreign domain.
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
