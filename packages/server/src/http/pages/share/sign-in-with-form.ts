import { WorkspaceError } from '@stoa/core';
import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '../../http-deps.ts';
import { header } from '../../request/headers.ts';

/**
 * Signs in with the form of a page, under the same rules and limits as any sign-in.
 * @returns the cookies to set
 * @throws WorkspaceError `unauthorized` with a text for the user; `rate_limited`, `cross_site_request`
 */
export async function signInWithForm(
  { auth }: Pick<HttpDeps, 'auth'>,
  { raw, ip }: FastifyRequest,
  form: URLSearchParams,
): Promise<readonly string[]> {
  const response = await auth.answer({
    method: 'POST',
    path: 'sign-in/email',
    query: '',
    body: { email: form.get('email') ?? '', password: form.get('password') ?? '' },
    cookie: header(raw, 'cookie'),
    origin: header(raw, 'origin'),
    secFetchSite: header(raw, 'sec-fetch-site'),
    userAgent: header(raw, 'user-agent'),
    clientAddress: ip,
  });
  if (response.status >= 500) throw new Error(`signing in failed with ${response.status}`);
  if (response.status >= 400) {
    throw new WorkspaceError('unauthorized', {}, 'That e-mail or password isn’t right.');
  }
  return response.headers.getSetCookie();
}
