import { WorkspaceError } from '@stoa/core';

export interface RequestOrigin {
  /** The `Origin` header. */
  readonly origin: string | null;
  /** The `Sec-Fetch-Site` header. */
  readonly secFetchSite: string | null;
}

/**
 * Refuses a state-changing request that another site's page makes a browser send, signing in included: a visitor must
 * not be signed in to an attacker's account. A client that sends neither header is no browser, and passes.
 * @throws WorkspaceError `cross_site_request`
 */
export function refuseCrossSite(request: RequestOrigin, trustedOrigins: readonly string[]): void {
  if (request.secFetchSite === 'same-origin' || request.secFetchSite === 'none') return;
  if (request.origin === null && request.secFetchSite === null) return;
  if (request.origin !== null && trustedOrigins.includes(request.origin)) return;
  throw new WorkspaceError('cross_site_request');
}
