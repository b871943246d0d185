import { WorkspaceError } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressBucket } from '../../../service/people/address-bucket.ts';
import { openShare } from '../../../service/shares/open-share.ts';
import { rejectActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';
import { sendResponse } from '../../responses/response.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { gonePage } from './error-pages.ts';
import { requireKept, sharedContent } from './pinned-content.ts';
import { sendFormPage, sendNotFound, sendUnopened } from './send-page.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';
import { parseShareTarget, type ShareTarget } from './share-target.ts';
import { contentVisit, parameter } from './share-visit.ts';
import { isShownAsPage, sharedContentResponse } from './shared-content-response.ts';

/**
 * Sends the bytes behind a link. Counts a view unless a page, which was already counted, led here.
 *
 * An HTML file with scripts runs only in the frame of our page. As a page of its own it could navigate to any address
 * and pass its content on. A browser that does not say where it loads the page (none does over plain http) gets it
 * with scripts only at the frame's address.
 */
export async function handleSharedContent(
  deps: SharePagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Checked before the link is looked up, so that the error does not reveal whether the link exists.
  rejectActiveDestination(header(request.raw, 'sec-fetch-dest'));
  const target = parseShareTarget(request.originalUrl);
  const visit = contentVisit(deps, deps.cookie, request, target);
  if (visit === null) return sendNotFound(reply);
  const opening = await openShare(deps.service, visit);
  if (opening.kind !== 'open') return sendUnopened(reply, opening, target.base);
  if (opening.item.kind === 'folder') return sendNotFound(reply);
  const { share } = opening;
  const followsPage = opening.isByPass || wasViewed(deps, share.id, parameter(request, 'v'));
  const readable = sharedContent(deps.service, share, opening.item.file);
  const download = parameter(request, 'download') === '1';
  const destination = destinationOf(request, followsPage);
  if (share.allowScripts && destination === 'window' && isShownAsPage(readable.file, download)) {
    return sendToPage(deps, reply, target);
  }
  const response = sharedContentResponse(request.raw, readable, {
    download,
    allowScripts: share.allowScripts && destination === 'frame',
    appOrigin: new URL(deps.appUrl).origin,
  });
  try {
    if (share.pinned !== null && request.raw.method === 'HEAD') await requireKept(readable);
    // A view is counted before the response is sent, so that the list of links shows it.
    const round = deps.permits.ofVisitor(reply.raw, () => [addressBucket(request.ip)], share.id);
    await sendResponse(reply, response, round, () => {
      if (!followsPage && isFirstPart(request)) deps.service.shareViews.count(share);
    });
  } catch (error) {
    if (!isGone(error)) throw error;
    return sendFormPage(reply, 410, gonePage);
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'pinned_content_gone';
}

function wasViewed({ service }: SharePagesDeps, shareId: string, viewed: string | null): boolean {
  const until = viewed === null ? null : service.shareKeys.readViewed(shareId, viewed);
  return until !== null && until > service.clock();
}

function destinationOf({ raw }: FastifyRequest, followsPage: boolean): 'frame' | 'window' | 'unknown' {
  switch (header(raw, 'sec-fetch-dest')?.toLowerCase()) {
    case 'iframe':
    case 'frame':
      return 'frame';
    case 'document':
      return 'window';
    case undefined:
      return followsPage ? 'frame' : 'unknown';
    default:
      return 'unknown';
  }
}

/** Only file links have scripts, so the page is the link's own. It is not on the content origin. */
function sendToPage(
  { appUrl, contentUrl }: SharePagesDeps,
  reply: FastifyReply,
  { token }: ShareTarget,
): void {
  const page = encodeURIComponent(token);
  reply
    .code(303)
    .headers(pageHeaders({ kind: 'form' }))
    .header('location', contentUrl === null ? `../${page}` : `${appUrl}/s/${page}`)
    .send('');
}

/** A media player requests further ranges. Only the first one counts as a view. */
function isFirstPart({ raw }: FastifyRequest): boolean {
  const range = header(raw, 'range');
  return raw.method === 'GET' && (range === null || /^bytes=0-/i.test(range));
}
