import { imageHashOf, imageIconOf, isContentHash } from '@stoa/core';

/** Returns a workspace's icon as it is sent: an uploaded image by its address. */
export function iconAddress(baseUrl: string, workspaceId: string, icon: string | null): string | null {
  const hash = imageHashOf(icon);
  return hash === null ? icon : imagePrefix(baseUrl, workspaceId) + hash;
}

/** Returns the icon behind an address, so that a client may send back what it received. Other texts stay unchanged. */
export function iconOfAddress(baseUrl: string, workspaceId: string, sent: string | null): string | null {
  const prefix = imagePrefix(baseUrl, workspaceId);
  if (sent === null || !sent.startsWith(prefix)) return sent;
  const hash = sent.slice(prefix.length);
  return isContentHash(hash) ? imageIconOf(hash) : sent;
}

function imagePrefix(baseUrl: string, workspaceId: string): string {
  return `${baseUrl}/api/workspaces/${encodeURIComponent(workspaceId)}/icon/`;
}
