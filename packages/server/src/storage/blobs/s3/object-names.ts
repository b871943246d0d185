import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { blobName, isPlainName, parseBlobName } from '../blob-name.ts';
import type { ObjectStore } from './object-store.ts';

/** An object's key in the bucket: `<prefix>/<workspace>/<hash>.<generation>`. A listing says what each must hold. */
export function objectName(store: Pick<ObjectStore, 'prefix'>, key: BlobKey): string {
  return `${workspacePrefix(store, key.workspaceId)}${blobName(key)}`;
}

/** What the names of all objects of a workspace begin with, and no others. Nothing begins so of what is no id. */
export function workspacePrefix({ prefix }: Pick<ObjectStore, 'prefix'>, workspaceId: string): string {
  return `${prefix}${workspaceId}/`;
}

/** @returns null for a key that is not an object of ours. */
export function parseObjectName({ prefix }: Pick<ObjectStore, 'prefix'>, name: string): BlobKey | null {
  if (!name.startsWith(prefix)) return null;
  const [workspaceId = '', own = '', ...rest] = name.slice(prefix.length).split('/');
  return rest.length === 0 && isPlainName(workspaceId) ? parseBlobName(workspaceId, own) : null;
}

/**
 * Where uploads are until their hash is known: `<prefix>/.staging/`. A dot is in no workspace's id. `.uploads` would not
 * do: SeaweedFS has its own parts in a folder of that name, and lists nothing that is in one.
 */
export function stagingPrefix({ prefix }: Pick<ObjectStore, 'prefix'>): string {
  return `${prefix}.staging/`;
}

/** `<prefix>/.staging/<workspace>/<generation>`: of one upload only, and never named by a row. */
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

/** Where a copy comes from, in the same bucket. All of our names are of characters that need no escape here. */
export function copySource({ bucket }: Pick<ObjectStore, 'bucket'>, name: string): string {
  return `${bucket}/${name}`;
}
