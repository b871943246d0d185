import type { ShareRecord } from '@stoa/contract';
import type { ShareRow } from '../service/ports/shares.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/** Returns a link as members see it (interface: shares, Share record), without its password. */
export function shareRecord(
  { appUrl, service }: { readonly appUrl: string; readonly service: Pick<ServiceDeps, 'shareKeys'> },
  share: ShareRow,
): ShareRecord {
  const token = service.shareKeys.shownTokenOf(share);
  const url = token === null ? null : `${appUrl}/s/${token}`;
  return {
    id: share.id,
    path: share.path,
    kind: share.kind,
    access: share.access,
    url,
    memberUrl: url,
    hasPassword: share.passwordHash !== null,
    pinnedVersion: share.pinned?.version ?? null,
    pinnedContentHash: share.pinned?.contentHash ?? null,
    allowScripts: share.allowScripts,
    createdBy: share.createdBy,
    createdAt: new Date(share.createdAt).toISOString(),
    viewCount: share.viewCount,
  };
}
