import { WorkspaceError } from '@stoa/core';

/** What a browser says about where a request comes from; null when it says nothing. */
export interface OriginFacts {
  readonly secFetchSite: string | null;
  readonly origin: string | null;
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that another site's page makes with the visitor's own cookie. A request of a program has neither
 * header, and brings no cookie that it was not given.
 * @throws WorkspaceError `cross_site_request`
 */
export function refuseCrossSite(method: string, facts: OriginFacts, trustedOrigins: readonly string[]): void {
  if (safeMethods.has(method)) return;
  const { secFetchSite, origin } = facts;
  const siteRefused = secFetchSite !== null && secFetchSite !== 'same-origin' && secFetchSite !== 'none';
  const originRefused = origin !== null && !trustedOrigins.includes(origin);
  if (siteRefused || originRefused) throw new WorkspaceError('cross_site_request');
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
