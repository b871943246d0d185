import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ListedBlob } from '../../../service/ports/blob-store.ts';
import { type ObjectIdentity, objectName, parseObjectName } from './object-name.ts';
import type { ObjectStore } from './object-store.ts';
import { askStore } from './store-failure.ts';

const pageKeysMax = 1000;

/** Objects last written before `olderThan`, in the order of their names: those of a workspace are together. */
export async function* listObjects(
  store: ObjectStore,
  olderThan: number,
): AsyncGenerator<readonly ListedBlob[]> {
  let next: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket: store.bucket,
      Prefix: store.prefix,
      MaxKeys: pageKeysMax,
      ContinuationToken: next,
    });
    const page = await askStore(store, () => store.client.send(command));
    const listed: ListedBlob[] = [];
    for (const { Key = '', LastModified } of page.Contents ?? []) {
      const identity = parseObjectName(store, Key);
      if (identity === null || LastModified === undefined || LastModified.getTime() >= olderThan) continue;
      listed.push({ ...identity, remove: () => removeObject(store, identity) });
    }
    if (listed.length > 0) yield listed;
    // A page that named itself as the next would be read for ever.
    if (page.IsTruncated && (page.NextContinuationToken ?? next) === next) {
      throw new Error('the object store does not say where its list goes on');
    }
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}

/** Removing what is not there is no error, for the store neither. */
export async function removeObject(store: ObjectStore, identity: ObjectIdentity): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: store.bucket, Key: objectName(store, identity) });
  await askStore(store, () => store.client.send(command));
}
