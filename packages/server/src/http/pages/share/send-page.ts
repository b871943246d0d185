import type { FastifyReply } from 'fastify';
import type { ShareOpening } from '../../../service/shares/open-share.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { notFoundPage, passwordPage, signInPage } from './error-pages.ts';

export function sendFormPage(reply: FastifyReply, status: number, page: string): void {
  reply
    .code(status)
    .headers(pageHeaders({ kind: 'form' }))
    .send(page);
}

export function sendNotFound(reply: FastifyReply): void {
  sendFormPage(reply, 404, notFoundPage);
}

/** Sends the page for a link that does not open, or not yet. */
export function sendUnopened(
  reply: FastifyReply,
  { kind }: Exclude<ShareOpening, { kind: 'open' }>,
  base: string,
): void {
  switch (kind) {
    case 'unknown':
      sendNotFound(reply);
      return;
    case 'sign_in':
      sendFormPage(reply, 401, signInPage(base, null));
      return;
    case 'locked':
      sendFormPage(reply, 401, passwordPage(base, null));
      return;
  }
}
