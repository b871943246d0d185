import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressBucket } from '../../../service/people/address-bucket.ts';
import type { HttpDeps } from '../../http-deps.ts';
import { mount, mountMethodRefusal } from '../../operation.ts';
import { pathPlaceholder } from '../../request/file-target.ts';
import { answerSharedContent } from './answer-content.ts';
import { answerSharePage } from './answer-page.ts';
import { answerShareSignIn } from './answer-sign-in.ts';
import { answerShareUnlock } from './answer-unlock.ts';
import { shareCookie } from './share-cookie.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';

type Answer = (deps: SharePagesDeps, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const link = `/s/${pathPlaceholder}`;
const read: Readonly<Record<string, Answer>> = {
  [link]: answerInTurn(answerSharePage),
  [`${link}/view/${pathPlaceholder}`]: answerInTurn(answerSharePage),
  [`${link}/content`]: answerSharedContent,
  [`${link}/content/${pathPlaceholder}`]: answerSharedContent,
};
const posted: Readonly<Record<string, Answer>> = {
  [`${link}/unlock`]: answerShareUnlock,
  [`${link}/sign-in`]: answerShareSignIn,
};

/** Makes a page within a permit, because a page of a large file or folder is built in memory. */
function answerInTurn(answer: Answer): Answer {
  return async (deps, request, reply) => {
    await deps.turns.of(reply.raw, () => [addressBucket(request.ip)]).untilSent();
    await answer(deps, request, reply);
  };
}

/** Mounts the pages of share links. */
export function mountShares(app: FastifyInstance, httpDeps: HttpDeps): void {
  const deps: SharePagesDeps = { ...httpDeps, cookie: shareCookie(httpDeps.appUrl) };
  for (const [url, answer] of Object.entries(read)) {
    mount(app, 'GET', url, (request, reply) => answer(deps, request, reply));
    mount(app, 'HEAD', url, (request, reply) => answer(deps, request, reply));
    mountMethodRefusal(app, url, ['GET', 'HEAD']);
  }
  for (const [url, answer] of Object.entries(posted)) {
    mount(app, 'POST', url, (request, reply) => answer(deps, request, reply));
    mountMethodRefusal(app, url, ['POST']);
  }
}
