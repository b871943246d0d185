import { isContentHash } from '@stoa/core';
import type { BlobKey } from '../../service/ports/blob-store.ts';

const plainName = /^[A-Za-z0-9_-]{1,100}$/;

/** Whether a name can be an id: it has no character with a special meaning in a path. */
export function isPlainName(name: string): boolean {
  return plainName.test(name);
}

/** Returns the name of an object on a disk and in a bucket: `<hash>.<generation>`. */
export function blobName({ workspaceId, contentHash, generation }: BlobKey): string {
  if (!isPlainName(workspaceId) || !isPlainName(generation) || !isContentHash(contentHash)) {
    throw new Error('an object is named by ids and a hash, which are safe in a name');
  }
  return `${contentHash}.${generation}`;
}

/** @returns null for a name that is not one of our objects. */
export function parseBlobName(workspaceId: string, name: string): BlobKey | null {
  const [contentHash = '', generation = '', ...rest] = name.split('.');
  if (rest.length > 0 || !isContentHash(contentHash) || !isPlainName(generation)) return null;
  return { workspaceId, contentHash, generation };
}
