import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { isPlainName } from '../blob-path.ts';
import type { ObjectStore } from './object-store.ts';

/** What names an object: the hash of its bytes is not known yet when their first part is sent. */
export type ObjectIdentity = Pick<BlobKey, 'workspaceId' | 'generation'>;

/** An object's key in the bucket: `<prefix>/<workspace>/<generation>`. */
export function objectName({ prefix }: ObjectStore, { workspaceId, generation }: ObjectIdentity): string {
  if (!isPlainName(workspaceId) || !isPlainName(generation)) {
    throw new Error('an object is named by ids, which are safe in a key');
  }
  return `${prefix}${workspaceId}/${generation}`;
}

/** @returns null for a key that is no object of ours. */
export function parseObjectName({ prefix }: ObjectStore, name: string): ObjectIdentity | null {
  if (!name.startsWith(prefix)) return null;
  const [workspaceId = '', generation = '', ...rest] = name.slice(prefix.length).split('/');
  if (rest.length > 0 || !isPlainName(workspaceId) || !isPlainName(generation)) return null;
  return { workspaceId, generation };
}
