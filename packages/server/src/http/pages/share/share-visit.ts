import { WorkspaceError } from '@stoa/core';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../service/access.ts';
import type { ShareVisit } from '../../../service/shares/open-share.ts';
import type { HttpDeps } from '../../http-deps.ts';
import { header } from '../../request/headers.ts';
import { recordActor } from '../../request-record.ts';
import type { ShareCookie } from './share-cookie.ts';
import type { ShareTarget } from './share-target.ts';

/** The credentials of a request for a page; null for a path that no link can have. */
export function shareVisit(
  deps: Pick<HttpDeps, 'auth'>,
  cookie: ShareCookie,
  request: FastifyRequest,
  { token, below }: ShareTarget,
): ShareVisit | null {
  if (below === null) return null;
  return {
    token,
    below,
    proof: cookie.read(header(request.raw, 'cookie')),
    pass: null,
    findCaller: () => findCaller(deps, request),
  };
}

/** The same for bytes, which a page's pass also opens. */
export function contentVisit(...facts: Parameters<typeof shareVisit>): ShareVisit | null {
  const [, , request] = facts;
  const visit = shareVisit(...facts);
  return visit === null ? null : { ...visit, pass: parameter(request, 'pass') };
}

/** One value of the query; null if it is absent or repeated. */
export function parameter({ query }: FastifyRequest, name: string): string | null {
  if (typeof query !== 'object' || query === null) return null;
  const value: unknown = Reflect.get(query, name);
  return typeof value === 'string' ? value : null;
}

/** @throws WorkspaceError `invalid_api_key` */
async function findCaller({ auth }: Pick<HttpDeps, 'auth'>, { raw }: FastifyRequest): Promise<Caller | null> {
  const apiKey = header(raw, 'x-api-key');
  const cookie = header(raw, 'cookie');
  if (apiKey === null && cookie === null) return null;
  try {
    const caller = await auth.authenticate({ apiKey, cookie });
    recordActor(raw, caller.actor);
    return caller;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'unauthorized') return null;
    throw error;
  }
}
