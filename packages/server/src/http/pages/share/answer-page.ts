import type { FastifyReply, FastifyRequest } from 'fastify';
import { readableFile } from '../../../service/files/open-content.ts';
import { listSharedFolder } from '../../../service/shares/list-shared-folder.ts';
import { openShare, type ShareOpening } from '../../../service/shares/open-share.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { isGone } from './answer-content.ts';
import { filePage } from './file-page.ts';
import { folderPage } from './folder-page.ts';
import { pinnedContent, requireKept } from './pinned-content.ts';
import { gonePage } from './refusal-pages.ts';
import { sendFormPage, sendNotFound, sendUnopened } from './send-page.ts';
import { shareLinks } from './share-links.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';
import { parseShareTarget, type ShareTarget } from './share-target.ts';
import { shareVisit } from './share-visit.ts';

/** How long what a page shows can be loaded without opening the link anew. */
const ticketForMs = 60 * 60 * 1000;

/** Answers with the page of a shared file or folder, or of what lies in a shared folder. */
export async function answerSharePage(
  deps: SharePagesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const target = parseShareTarget(request.originalUrl);
  const visit = shareVisit(deps, deps.cookie, request, target);
  if (visit === null) return sendNotFound(reply);
  const opening = await openShare(deps.service, visit);
  if (opening.kind !== 'open') return sendUnopened(reply, opening, target.base);
  let page: string;
  try {
    page = await pageOf(deps, opening, target, visit.below);
  } catch (error) {
    if (!isGone(error)) throw error;
    return sendFormPage(reply, 410, gonePage);
  }
  const contentOrigin = deps.contentUrl === null ? null : new URL(deps.contentUrl).origin;
  reply
    .code(200)
    .headers(pageHeaders({ kind: 'content', contentOrigin }))
    .send(page);
  if (!opening.isFollowUp && request.raw.method === 'GET') deps.service.shareViews.count(opening.share);
}

async function pageOf(
  deps: SharePagesDeps,
  { share, target, viewerId }: Extract<ShareOpening, { kind: 'open' }>,
  { token, base }: ShareTarget,
  below: string,
): Promise<string> {
  const expiresAt = deps.service.clock() + ticketForMs;
  const links = shareLinks({
    base,
    ticket: deps.service.shareKeys.sealTicket({ shareId: share.id, viewerId, expiresAt }),
    contentBase: deps.contentUrl === null ? null : `${deps.contentUrl}/s/${token}/`,
  });
  if (target.kind === 'folder') {
    const folder = await listSharedFolder(deps.service, share.workspaceId, target.path);
    return folderPage(target.path, below, folder, links);
  }
  const found = readableFile(deps.service, target.file);
  const readable = share.pinned === null ? found : pinnedContent(found);
  if (share.pinned !== null) await requireKept(readable);
  const hasNeighbours = share.kind === 'folder';
  return filePage(deps.markdown, { readable, below, links, allowScripts: share.allowScripts, hasNeighbours });
}
