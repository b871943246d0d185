import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { blobName, isPlainName, parseBlobName } from '../blob-name.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Key of an object in the bucket: `<prefix>/<workspace>/<hash>.<generation>`. A listing of keys already has the hashes.
 */
export function objectName(store: Pick<ObjectStore, 'prefix'>, key: BlobKey): string {
  return `${workspacePrefix(store, key.workspaceId)}${blobName(key)}`;
}

/** Common prefix of all objects of a workspace, and of no others, provided that it is a valid id. */
export function workspacePrefix({ prefix }: Pick<ObjectStore, 'prefix'>, workspaceId: string): string {
  return `${prefix}${workspaceId}/`;
}

/** @returns null for a key that is not one of our objects. */
export function parseObjectName({ prefix }: Pick<ObjectStore, 'prefix'>, name: string): BlobKey | null {
  if (!name.startsWith(prefix)) return null;
  const [workspaceId = '', own = '', ...rest] = name.slice(prefix.length).split('/');
  return rest.length === 0 && isPlainName(workspaceId) ? parseBlobName(workspaceId, own) : null;
}

/**
 * Prefix of uploads whose hash is not known yet: `<prefix>/.staging/`. Workspace ids contain no dot. `.uploads` would
 * not work: SeaweedFS stores its own parts in a folder of that name, and does not list its contents.
 */
export function stagingPrefix({ prefix }: Pick<ObjectStore, 'prefix'>): string {
  return `${prefix}.staging/`;
}

/** `<prefix>/.staging/<workspace>/<generation>`: belongs to one upload, and is never named by a row. */
export function stagingName(
  store: Pick<ObjectStore, 'prefix'>,
  { workspaceId, generation }: Pick<BlobKey, 'workspaceId' | 'generation'>,
): string {
  if (!isPlainName(workspaceId) || !isPlainName(generation)) {
    throw new Error('an upload is named by ids, which are safe in a key');
  }
  return `${stagingPrefix(store)}${workspaceId}/${generation}`;
}

export function isStagingName(store: Pick<ObjectStore, 'prefix'>, name: string): boolean {
  const prefix = stagingPrefix(store);
  const ids = name.slice(prefix.length).split('/');
  return name.startsWith(prefix) && ids.length === 2 && ids.every(isPlainName);
}

/** The source of a copy, in the same bucket. Our names have no characters that need escaping here. */
export function copySource({ bucket }: Pick<ObjectStore, 'bucket'>, name: string): string {
  return `${bucket}/${name}`;
}
