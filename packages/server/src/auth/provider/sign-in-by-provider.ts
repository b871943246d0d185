import { invalidRequest, WorkspaceError } from '@stoa/core';
import type { AuthDeps } from '../auth-deps.ts';
import { providerCallbackPath } from '../auth-endpoints.ts';
import type { AuthRequest } from '../auth-request.ts';
import { callLibrary } from '../call-library.ts';
import type { AttemptLimiter } from '../limit-attempts.ts';
import {
  openProviderLibrary,
  type ProviderLibrary,
  type ProviderReturn,
  providerId,
} from './provider-library.ts';

/** Sign-in through an OpenID Connect provider. */
export interface ProviderSignIn {
  /**
   * Returns the address for signing in, `{ url }`, and the cookie to which the return is bound.
   * @param linkFor the signed-in user who links the provider's account; null to sign in
   * @throws WorkspaceError `invalid_request`, `rate_limited`, `provider_unreachable`
   */
  begin(
    request: AuthRequest,
    body: Readonly<Record<string, unknown>>,
    linkFor: string | null,
  ): Promise<Response>;
  /**
   * Handles the browser's return: redirects into the app, or to the starting page with an error.
   * @param sessionUserId the user of its current session
   */
  comeBack(request: AuthRequest, sessionUserId: string | null): Promise<Response>;
}

/** Timeout for the library's own requests to the provider, which have no useful limit. */
const libraryMsMax = 20_000;
const textMaxCharacters = 2000;

/** @returns null without a provider in the settings */
export function createProviderSignIn(deps: AuthDeps, limiter: AttemptLimiter): ProviderSignIn | null {
  const settings = deps.provider;
  if (settings === null) return null;
  let opened: Promise<ProviderLibrary> | null = null;
  /** Opens the provider. After a failure the next request tries again. */
  const open = async () => {
    opened ??= within(libraryMsMax, openProviderLibrary(deps, settings));
    const attempt = opened;
    try {
      return await attempt;
    } catch (error) {
      if (opened === attempt) opened = null;
      deps.reportProblem('the OpenID Connect provider cannot be used', error);
      throw new WorkspaceError('provider_unreachable');
    }
  };

  return {
    async begin(request, { next, inviteToken }, linkFor) {
      const path = parseNext(next, deps.appUrl);
      const page = linkFor === null ? `/signin?next=${encodeURIComponent(path)}` : path;
      await limiter.admit(request, 'provider');
      const { library } = await open();
      const additionalData = { ...withText('inviteToken', inviteToken), ...withText('linkFor', linkFor) };
      const response = await callLibrary(library, { method: 'POST', path: 'sign-in/social' }, request, {
        provider: providerId,
        callbackURL: `${deps.appUrl}${path}`,
        errorCallbackURL: `${deps.appUrl}${page}`,
        additionalData,
      });
      const found: unknown = await response.json();
      if (!response.ok || typeof found !== 'object' || found === null || !('url' in found)) {
        throw new Error(`the sign-in library did not begin a sign-in: ${response.status}`);
      }
      return withCookies(Response.json({ url: found.url }), response.headers.getSetCookie());
    },

    async comeBack(request, sessionUserId) {
      const { library, provider, endedCookie, returns } = await open();
      const reject = (code: string, page = '/signin') => {
        const url = new URL(page, `${deps.appUrl}/`);
        url.searchParams.delete('error');
        url.searchParams.delete('error_description');
        url.searchParams.set('refused', code);
        return redirectTo(url.href, [endedCookie]);
      };
      const query = new URLSearchParams(request.query);
      if (provider.namesIssuer && query.get('iss') !== provider.issuer) return reject('failed');
      const here: ProviderReturn = { sessionUserId, outcome: null, callbackUrl: null };
      let response: Response;
      try {
        // Limited, because each return makes this server call the provider.
        await limiter.admit(request, 'provider-return');
        const path = `${providerCallbackPath}?${query}`;
        const call = () => callLibrary(library, { method: 'GET', path }, request, {});
        response = await within(libraryMsMax, returns.run(here, call));
      } catch (error) {
        const code = error instanceof WorkspaceError ? error.code : null;
        if (code === 'account_disabled' || code === 'rate_limited') return reject(code);
        deps.reportProblem('a sign-in by the provider failed', error);
        return reject('failed');
      }
      const location = response.headers.get('location');
      if (here.outcome === 'linked' && here.callbackUrl !== null)
        return redirectTo(here.callbackUrl, [endedCookie]);
      if (location === null) return reject('failed');
      const { searchParams } = new URL(location, deps.appUrl);
      const hasFailed = here.outcome !== 'admitted' || searchParams.has('error');
      if (!hasFailed) return redirectTo(location, response.headers.getSetCookie());
      const isOfApp = location.startsWith(`${deps.appUrl}/`) && !location.startsWith(`${deps.appUrl}/api/`);
      // The provider's error text is not shown, because anyone can craft such an address.
      const code = here.outcome === null || here.outcome === 'admitted' ? 'failed' : here.outcome;
      return reject(code, isOfApp ? location : undefined);
    },
  };
}

function withText(name: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' && value.length <= textMaxCharacters ? { [name]: value } : {};
}

/** Returns a path of the app. @throws WorkspaceError `invalid_request` */
function parseNext(next: unknown, appUrl: string): string {
  if (next === undefined || next === null) return '/';
  const { origin } = new URL(appUrl);
  const isPath = typeof next === 'string' && next.startsWith('/') && next.length <= textMaxCharacters;
  const url = isPath && URL.canParse(next, origin) ? new URL(next, origin) : null;
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) {
    throw invalidRequest('next must be a path of the app, such as /account');
  }
  return url.pathname + url.search + url.hash;
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`the provider took over ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function redirectTo(location: string, cookies: readonly string[]): Response {
  return withCookies(new Response(null, { status: 302, headers: { location } }), cookies);
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
