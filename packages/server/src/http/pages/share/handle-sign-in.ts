import { errorResponse } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rejectCrossSite } from '../../../auth/reject-cross-site.ts';
import { header } from '../../request/headers.ts';
import { readFormBody } from '../../request/read-form-body.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { signInPage } from './error-pages.ts';
import { sendFormPage } from './send-page.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';
import { parseShareTarget } from './share-target.ts';
import { signInWithForm } from './sign-in-with-form.ts';

/** Signs in with the form of a member link's page, and returns to the link without checking whether it exists. */
export async function handleShareSignIn(
  deps: SharePagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request;
  const origin = { secFetchSite: header(raw, 'sec-fetch-site'), origin: header(raw, 'origin') };
  rejectCrossSite(origin, deps.trustedOrigins);
  const form = await readFormBody(raw, reply.raw);
  const { token, base } = parseShareTarget(request.originalUrl);
  let cookies: readonly string[];
  try {
    cookies = await signInWithForm(deps, request, form);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code !== 'unauthorized' && error.code !== 'rate_limited') throw error;
    const { status } = errorResponse(error);
    const notice =
      error.code === 'unauthorized' ? error.message : 'Too many attempts. Try again in a few minutes.';
    return sendFormPage(reply, status, signInPage(base, notice));
  }
  reply
    .code(303)
    .headers(pageHeaders({ kind: 'form' }))
    .header('location', `../${encodeURIComponent(token)}`);
  reply.header('set-cookie', [...cookies]).send('');
}
