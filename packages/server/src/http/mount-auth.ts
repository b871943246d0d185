import { WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from './http-deps.ts';
import { mount } from './operation.ts';
import { header } from './request/headers.ts';
import { readJsonBody } from './request/read-json-body.ts';
import { dataHeaders } from './responses/response.ts';

const prefix = '/api/auth/';
/** Names, addresses and passwords are short. */
const bodyMaxBytes = 64 * 1024;

/** Mounts sign-up, sign-in and sign-out below `/api/auth/`. */
export function mountAuth(app: FastifyInstance, deps: Pick<HttpDeps, 'auth'>): void {
  for (const method of ['GET', 'POST'] as const) {
    mount(app, method, `${prefix}*`, (request, reply) => handleAuth(deps, request, reply));
  }
}

async function handleAuth({ auth }: Pick<HttpDeps, 'auth'>, request: FastifyRequest, reply: FastifyReply) {
  const { raw } = request;
  const [target = '', ...query] = (raw.url ?? '').split('?');
  if (!target.startsWith(prefix)) throw new WorkspaceError('route_not_found');
  const response = await auth.answer({
    method: raw.method ?? '',
    path: target.slice(prefix.length),
    query: query.join('?'),
    body: await readJsonBody(raw, reply.raw, bodyMaxBytes),
    cookie: header(raw, 'cookie'),
    origin: header(raw, 'origin'),
    secFetchSite: header(raw, 'sec-fetch-site'),
    userAgent: header(raw, 'user-agent'),
    clientAddress: request.ip,
  });
  const body = Buffer.from(await response.arrayBuffer());
  reply.code(response.status).headers(dataHeaders);
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value);
  }
  reply.header('cache-control', 'no-store');
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  reply.send(body);
}
