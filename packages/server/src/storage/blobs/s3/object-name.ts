import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { blobName, isPlainName, parseBlobName } from '../blob-name.ts';
import type { ObjectStore } from './object-store.ts';

/** An object's key in the bucket: `<prefix>/<workspace>/<hash>.<generation>`. A listing says what each must hold. */
export function objectName({ prefix }: Pick<ObjectStore, 'prefix'>, key: BlobKey): string {
  return `${prefix}${key.workspaceId}/${blobName(key)}`;
}

/** @returns null for a key that is no object of ours. */
export function parseObjectName({ prefix }: Pick<ObjectStore, 'prefix'>, name: string): BlobKey | null {
  if (!name.startsWith(prefix)) return null;
  const [workspaceId = '', own = '', ...rest] = name.slice(prefix.length).split('/');
  return rest.length === 0 && isPlainName(workspaceId) ? parseBlobName(workspaceId, own) : null;
}
