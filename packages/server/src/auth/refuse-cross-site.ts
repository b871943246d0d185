// docs/decisions/0025-cross-site-requests.md
import { WorkspaceError } from '@stoa/core';

/** What a browser says about where a request comes from; null when it says nothing. */
export interface RequestOrigin {
  /** The `Origin` header. */
  readonly origin: string | null;
  /** The `Sec-Fetch-Site` header. */
  readonly secFetchSite: string | null;
}

/**
 * Refuses a state-changing request that another site's page makes a browser send, signing in included: a visitor must
 * not be signed in to an attacker's account. The one rule for every unsafe method that a cookie may act through.
 *
 * A browser always sends one of the two headers with such a request, so a client that sends neither is not a browser, and brings
 * no cookie that it was not given. `Sec-Fetch-Site` comes first: the origin of a page of ours is `null` when the page
 * tells nobody where it stands.
 * @throws WorkspaceError `cross_site_request`
 */
export function refuseCrossSite(request: RequestOrigin, trustedOrigins: readonly string[]): void {
  const { origin, secFetchSite } = request;
  if (secFetchSite === 'same-origin' || secFetchSite === 'none') return;
  if (origin === null && secFetchSite === null) return;
  if (origin !== null && trustedOrigins.includes(origin)) return;
  throw new WorkspaceError('cross_site_request');
}
