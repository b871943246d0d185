import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';
import { askStore } from './store-failure.ts';

/** Removing what is not there is no error, for the store neither. */
export async function removeObject(store: ObjectStore, name: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: store.bucket, Key: name });
  await askStore(store, () => store.client.send(command));
}
