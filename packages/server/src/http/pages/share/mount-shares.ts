import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressBucket } from '../../../service/people/address-bucket.ts';
import type { HttpDeps } from '../../http-deps.ts';
import { mount, mountMethodError } from '../../operation.ts';
import { pathPlaceholder } from '../../request/file-target.ts';
import { handleSharedContent } from './handle-content.ts';
import { handleSharePage } from './handle-page.ts';
import { handleShareSignIn } from './handle-sign-in.ts';
import { handleShareUnlock } from './handle-unlock.ts';
import { shareCookie } from './share-cookie.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';

type PageHandler = (deps: SharePagesDeps, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const link = `/s/${pathPlaceholder}`;
const read: Readonly<Record<string, PageHandler>> = {
  [link]: handleInOrder(handleSharePage),
  [`${link}/view/${pathPlaceholder}`]: handleInOrder(handleSharePage),
  [`${link}/content`]: handleSharedContent,
  [`${link}/content/${pathPlaceholder}`]: handleSharedContent,
};
const posted: Readonly<Record<string, PageHandler>> = {
  [`${link}/unlock`]: handleShareUnlock,
  [`${link}/sign-in`]: handleShareSignIn,
};

/** Makes a page within a permit, because a page of a large file or folder is built in memory. */
function handleInOrder(response: PageHandler): PageHandler {
  return async (deps, request, reply) => {
    await deps.permits.ofVisitor(reply.raw, () => [addressBucket(request.ip)], null).untilSent();
    await response(deps, request, reply);
  };
}

/** Mounts the pages of share links. */
export function mountShares(app: FastifyInstance, httpDeps: HttpDeps): void {
  const deps: SharePagesDeps = { ...httpDeps, cookie: shareCookie(httpDeps.appUrl) };
  for (const [url, response] of Object.entries(read)) {
    mount(app, 'GET', url, (request, reply) => response(deps, request, reply));
    mount(app, 'HEAD', url, (request, reply) => response(deps, request, reply));
    mountMethodError(app, url, ['GET', 'HEAD']);
  }
  for (const [url, response] of Object.entries(posted)) {
    mount(app, 'POST', url, (request, reply) => response(deps, request, reply));
    mountMethodError(app, url, ['POST']);
  }
}
