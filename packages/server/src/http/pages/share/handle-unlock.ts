import { parseRequest, unlockShareBody } from '@stoa/contract';
import { mediaTypeOf, WorkspaceError } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inHashQueue, verifyPassword } from '../../../auth/password-hash.ts';
import { rejectCrossSite } from '../../../auth/reject-cross-site.ts';
import { type ShareUnlock, unlockShare } from '../../../service/shares/unlock-share.ts';
import { header } from '../../request/headers.ts';
import { readFormBody } from '../../request/read-form-body.ts';
import { readJsonBody } from '../../request/read-json-body.ts';
import { dataHeaders } from '../../responses/response.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { passwordPage } from './error-pages.ts';
import { sendFormPage, sendNotFound, sendUnopened } from './send-page.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';
import { parseShareTarget } from './share-target.ts';
import { shareVisit } from './share-visit.ts';

const bodyMaxBytes = 16 * 1024;

/** Takes a link's password, as JSON or from the page's form, and responds in the same format. */
export async function handleShareUnlock(
  deps: SharePagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request;
  const origin = { secFetchSite: header(raw, 'sec-fetch-site'), origin: header(raw, 'origin') };
  rejectCrossSite(origin, deps.trustedOrigins);
  const isForm = mediaTypeOf(header(raw, 'content-type') ?? '') === 'application/x-www-form-urlencoded';
  const body = isForm
    ? Object.fromEntries(await readFormBody(raw, reply.raw))
    : await readJsonBody(raw, reply.raw, bodyMaxBytes);
  const { password } = parseRequest(unlockShareBody, body, 'body');
  const target = parseShareTarget(request.originalUrl);
  const visit = shareVisit(deps, deps.cookie, request, target);
  if (visit === null) return sendNotFound(reply);
  let unlock: ShareUnlock;
  try {
    const attempt = { ...visit, password, clientAddress: request.ip };
    unlock = await unlockShare(deps.service, attempt, (given, kept) =>
      inHashQueue('share', request.ip, () => verifyPassword(given, kept)),
    );
  } catch (error) {
    if (!isForm || !(error instanceof WorkspaceError) || error.code !== 'rate_limited') throw error;
    return sendFormPage(
      reply,
      429,
      passwordPage(target.base, 'Too many attempts. Try again in a few minutes.'),
    );
  }
  switch (unlock.kind) {
    case 'unknown':
    case 'sign_in':
      return sendUnopened(reply, unlock, target.base);
    case 'wrong_password':
      if (!isForm) throw new WorkspaceError('share_locked');
      return sendFormPage(reply, 401, passwordPage(target.base, 'Wrong password.'));
    case 'unlocked': {
      const { proof, unlockedForSeconds } = unlock;
      reply.header('set-cookie', deps.cookie.write(target.token, proof, unlockedForSeconds));
      if (isForm) {
        reply
          .code(303)
          .headers(pageHeaders({ kind: 'form' }))
          .header('location', `../${target.token}`)
          .send('');
      } else {
        reply.code(200).headers(dataHeaders).header('content-type', 'application/json; charset=utf-8');
        reply.send('{"ok":true}');
      }
    }
  }
}
