// Browsers send `Sec-Fetch-Site` or `Origin` with every unsafe request. A request without both comes from a program.
import { WorkspaceError } from '@stoa/core';

/** The browser's statement about the origin of a request; null where it makes none. */
export interface RequestOrigin {
  /** The `Origin` header. */
  readonly origin: string | null;
  /** The `Sec-Fetch-Site` header. */
  readonly secFetchSite: string | null;
}

/**
 * Rejects a state-changing request that a page of another site sends. This includes signing in, so that a visitor is
 * never signed in to an attacker's account. It is the rule for every unsafe method that accepts a cookie.
 *
 * A browser always sends one of the two headers with such a request. So a client without both is not a browser, and
 * has only cookies that it was given. `Sec-Fetch-Site` comes first, because the `Origin` of our own page is `null` if
 * the page hides its address.
 * @throws WorkspaceError `cross_site_request`
 */
export function rejectCrossSite(request: RequestOrigin, trustedOrigins: readonly string[]): void {
  const { origin, secFetchSite } = request;
  if (secFetchSite === 'same-origin' || secFetchSite === 'none') return;
  if (origin === null && secFetchSite === null) return;
  if (origin !== null && trustedOrigins.includes(origin)) return;
  throw new WorkspaceError('cross_site_request');
}
