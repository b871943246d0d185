import type { FastifyReply, FastifyRequest } from 'fastify';
import { listSharedFolder } from '../../../service/shares/list-shared-folder.ts';
import { openShare, type ShareOpening } from '../../../service/shares/open-share.ts';
import { header } from '../../request/headers.ts';
import { pageHeaders } from '../shell/page-shell.ts';
import { gonePage } from './error-pages.ts';
import { filePage } from './file-page.ts';
import { folderPage } from './folder-page.ts';
import { isGone } from './handle-content.ts';
import { requireKept, sharedContent } from './pinned-content.ts';
import { sendFormPage, sendNotFound, sendUnopened } from './send-page.ts';
import { encodeSegments, shareLinks } from './share-links.ts';
import type { SharePagesDeps } from './share-pages-deps.ts';
import { parseShareTarget, type ShareTarget } from './share-target.ts';
import { shareVisit } from './share-visit.ts';

/** Time for which a page's contents load without counting another view. */
const viewedForMs = 60 * 60 * 1000;
/** Time for which the frame of a page may load its file from the other origin. It does so at once. */
const passForMs = 5 * 60 * 1000;

type OpenShare = Extract<ShareOpening, { kind: 'open' }>;

/** Sends the page of a shared file or folder, or of an item in a shared folder. */
export async function handleSharePage(
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
  if (request.raw.method === 'GET' && !wasLedHere(request, visit.below)) {
    deps.service.shareViews.count(opening.share);
  }
  reply
    .code(200)
    .headers(pageHeaders({ kind: 'content', contentOrigin }))
    .send(page);
}

/**
 * Moving from one page of a shared folder to another is part of one view. Browsers report it on https and on
 * localhost only; elsewhere each page counts.
 */
function wasLedHere({ raw }: FastifyRequest, below: string): boolean {
  return below !== '' && header(raw, 'sec-fetch-site') === 'same-origin';
}

async function pageOf(
  deps: SharePagesDeps,
  opening: OpenShare,
  { token, base }: ShareTarget,
  below: string,
): Promise<string> {
  const { share, item } = opening;
  const { shareKeys, clock } = deps.service;
  const links = shareLinks({
    base,
    viewed: shareKeys.markViewed(share.id, clock() + viewedForMs),
    contentOrigin:
      deps.contentUrl === null
        ? null
        : { base: `${deps.contentUrl}/s/${token}/`, pass: passFor(deps, opening, below) },
  });
  const inApp = addressInApp(deps, opening);
  if (item.kind === 'folder') {
    const folder = await listSharedFolder(deps.service, share.workspaceId, item.path);
    return folderPage({ path: item.path, below, inApp }, folder, links);
  }
  const readable = sharedContent(deps.service, share, item.file);
  if (share.pinned !== null) await requireKept(readable);
  const hasNeighbours = share.kind === 'folder';
  const { id: shareId, createdBy: makerId, allowScripts } = share;
  return filePage(deps.markdown, {
    shareId,
    makerId,
    readable,
    below,
    links,
    inApp,
    allowScripts,
    hasNeighbours,
  });
}

/** Address of the item in the app if a member link was opened with a session, else null. */
function addressInApp(
  { appUrl }: Pick<SharePagesDeps, 'appUrl'>,
  { share, viewer, item }: OpenShare,
): string | null {
  if (share.access !== 'member' || viewer?.via !== 'session') return null;
  const location =
    item.kind === 'folder' ? `d/${encodeSegments(item.path)}` : `f/${encodeSegments(item.file.path)}`;
  return `${appUrl}/w/${encodeURIComponent(share.workspaceId)}/${location}`;
}

/**
 * Returns a pass for this one file, which expires no later than the entered password. A page makes a pass; a pass
 * never does.
 */
function passFor(
  { service: { shareKeys, clock } }: SharePagesDeps,
  { share, viewer, provenUntil }: OpenShare,
  below: string,
): string | null {
  if (share.access === 'public' && share.passwordHash === null) return null;
  const expiresAt = Math.min(clock() + passForMs, provenUntil ?? Number.POSITIVE_INFINITY);
  return shareKeys.sealPass({ shareId: share.id, below }, { viewer, expiresAt });
}
