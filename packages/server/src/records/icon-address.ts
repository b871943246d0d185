import { imageHashOf, imageIconOf, isContentHash } from '@stoa/core';

/** A workspace's icon as it is sent: an uploaded image by its address. */
export function iconAddress(baseUrl: string, workspaceId: string, icon: string | null): string | null {
  const hash = imageHashOf(icon);
  return hash === null ? icon : imagePrefix(baseUrl, workspaceId) + hash;
}

/** The icon that an address stands for, so that a client may send back what it was sent. Other texts stay as they are. */
export function iconOfAddress(baseUrl: string, workspaceId: string, sent: string | null): string | null {
  const prefix = imagePrefix(baseUrl, workspaceId);
  if (sent === null || !sent.startsWith(prefix)) return sent;
  const hash = sent.slice(prefix.length);
  return isContentHash(hash) ? imageIconOf(hash) : sent;
}

function imagePrefix(baseUrl: string, workspaceId: string): string {
  return `${baseUrl}/api/workspaces/${encodeURIComponent(workspaceId)}/icon/`;
}
