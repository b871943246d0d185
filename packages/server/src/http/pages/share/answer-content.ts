import { WorkspaceError } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readableFile } from '../../../service/files/open-content.ts';
import { openShare } from '../../../service/shares/open-share.ts';
import { sendAnswer } from '../../answers/send-answer.ts';
import { refuseActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';
import { pinnedContent, requireKept } from './pinned-content.ts';
import { gonePage } from './refusal-pages.ts';
import { sendFormPage, sendNotFound, sendUnopened } from './send-page.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';
import { parseShareTarget } from './share-target.ts';
import { parameter, shareVisit } from './share-visit.ts';
import { sharedContentAnswer } from './shared-content-answer.ts';

/** Answers with the bytes behind a link. Counts a view unless a page led here, which was counted. */
export async function answerSharedContent(
  deps: SharePagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Asked before the link is looked up: the refusal must not tell whether it is there.
  refuseActiveDestination(header(request.raw, 'sec-fetch-dest'));
  const target = parseShareTarget(request.originalUrl);
  const visit = shareVisit(deps, deps.cookie, request, target);
  if (visit === null) return sendNotFound(reply);
  const opening = await openShare(deps.service, visit);
  if (opening.kind !== 'open') return sendUnopened(reply, opening, target.base);
  if (opening.target.kind === 'folder') return sendNotFound(reply);
  const { share } = opening;
  const found = readableFile(deps.service, opening.target.file);
  const readable = share.pinned === null ? found : pinnedContent(found);
  const answer = sharedContentAnswer(request.raw, readable, {
    download: parameter(request, 'download') === '1',
    allowScripts: share.allowScripts,
    appOrigin: new URL(deps.appUrl).origin,
  });
  try {
    if (share.pinned !== null && request.raw.method === 'HEAD') await requireKept(readable);
    await sendAnswer(reply, answer);
  } catch (error) {
    if (!isGone(error)) throw error;
    return sendFormPage(reply, 410, gonePage);
  }
  if (!opening.isFollowUp && isFirstPart(request)) deps.service.shareViews.count(share);
}

export function isGone(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'pinned_content_gone';
}

/** A player reads on in further ranges: only the beginning is an opening. */
function isFirstPart({ raw }: FastifyRequest): boolean {
  const range = header(raw, 'range');
  return raw.method === 'GET' && (range === null || /^bytes=0-/i.test(range));
}
