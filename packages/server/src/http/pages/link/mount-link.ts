import { errorAnswer } from '@stoa/contract';
import { parseUserCode, type RefusalCode, WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseCrossSite } from '../../../auth/refuse-cross-site.ts';
import type { Caller } from '../../../service/access/workspace-access.ts';
import type { HttpDeps } from '../../http-deps.ts';
import { header } from '../../request/headers.ts';
import { readFormBody } from '../../request/read-form-body.ts';
import { noteActor } from '../../request-record.ts';
import { mount, mountMethodRefusal } from '../../serve-operation.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { answerLinkForm } from './answer-link-form.ts';
import { type LinkView, linkPage } from './link-page.ts';
import { signInFromLink } from './sign-in-from-link.ts';

const codeMaxCharacters = 32;

/** What these refusals mean to a person at the page; others are answered like any request's. */
const notices: Readonly<Partial<Record<RefusalCode, string>>> = {
  invalid_grant: 'There is no such code. Compare it with your device, or start again there.',
  expired_token: 'This code is too old. Start again on your device.',
  already_consumed: 'This code was used already. Start again on your device.',
  access_denied: 'This code was denied. Start again on your device.',
  device_code_approved: 'This code was already approved for another workspace.',
  rate_limited: 'Too many tries. Wait a few minutes before the next one.',
  workspace_not_found: 'That workspace is gone. Choose another one.',
  not_a_member: 'You are not a member of that workspace. Choose another one.',
  invalid_request: 'The name of the key must be one line of at most 100 characters.',
};

/** Mounts the page at which a signed-in person answers a device. Reading it changes nothing: every step is a form. */
export function mountLink(app: FastifyInstance, deps: HttpDeps): void {
  for (const method of ['GET', 'HEAD'] as const) {
    mount(app, method, '/link', async (request, reply) => {
      const code = codeOf(request.query);
      const caller = await findPerson(deps, request);
      sendPage(reply, 200, caller === null ? signInView(code) : enterCodeView(caller, code));
    });
  }
  mount(app, 'POST', '/link', (request, reply) => answerForm(deps, request, reply));
  mountMethodRefusal(app, '/link', ['GET', 'HEAD', 'POST']);
}

async function answerForm(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request;
  const origin = { secFetchSite: header(raw, 'sec-fetch-site'), origin: header(raw, 'origin') };
  refuseCrossSite(origin, deps.trustedOrigins);
  const form = await readFormBody(raw, reply.raw);
  const code = shownCode(form.get('code') ?? '');
  if (form.get('action') === 'sign-in') {
    const outcome = await noticing(() => signInFromLink(deps, request, form));
    if (outcome.kind === 'refused') sendPage(reply, outcome.status, signInView(code, outcome.notice));
    else redirect(reply, code, outcome.value);
    return;
  }
  const caller = await findPerson(deps, request);
  if (caller === null) {
    sendPage(reply, 401, signInView(code, 'You are not signed in any more.'));
    return;
  }
  const outcome = await noticing(() => answerLinkForm(deps.service, caller, form));
  if (outcome.kind === 'refused')
    sendPage(reply, outcome.status, enterCodeView(caller, code, outcome.notice));
  else sendPage(reply, 200, outcome.value);
}

/** The session's person. A key is not asked for: the page is for people, in a browser. */
async function findPerson({ auth }: HttpDeps, { raw }: FastifyRequest): Promise<Caller | null> {
  const cookie = header(raw, 'cookie');
  if (cookie === null) return null;
  try {
    const caller = await auth.authenticate({ apiKey: null, cookie });
    noteActor(raw, caller.actor);
    return caller;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'unauthorized') return null;
    throw error;
  }
}

type Noticed<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly status: number; readonly notice: string };

async function noticing<Value>(work: () => Promise<Value>): Promise<Noticed<Value>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const notice = error.code === 'unauthorized' ? error.message : notices[error.code];
    if (notice === undefined) throw error;
    return { kind: 'refused', status: errorAnswer(error).status, notice };
  }
}

function signInView(code: string, notice: string | null = null): LinkView {
  return { kind: 'sign-in', code, notice };
}

function enterCodeView({ actor }: Caller, code: string, notice: string | null = null): LinkView {
  return { kind: 'enter-code', code, notice, personName: actor.userName };
}

function sendPage(reply: FastifyReply, status: number, view: LinkView): void {
  reply
    .code(status)
    .headers(pageHeaders({ kind: 'form' }))
    .send(linkPage(view));
}

/** Relative, as the forms are. */
function redirect(reply: FastifyReply, code: string, cookies: readonly string[]): void {
  const location = code === '' ? 'link' : `link?code=${encodeURIComponent(code)}`;
  reply
    .code(303)
    .headers(pageHeaders({ kind: 'form' }))
    .header('location', location);
  reply.header('set-cookie', [...cookies]).send('');
}

function codeOf(query: unknown): string {
  const isRecord = typeof query === 'object' && query !== null;
  return isRecord && 'code' in query && typeof query.code === 'string' ? shownCode(query.code) : '';
}

function shownCode(typed: string): string {
  return parseUserCode(typed) ?? typed.slice(0, codeMaxCharacters).toWellFormed();
}
