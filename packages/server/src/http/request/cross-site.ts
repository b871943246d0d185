import { WorkspaceError } from '@stoa/core';
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
