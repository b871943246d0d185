import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { askStore, isAbsent, type ObjectStore } from './object-store.ts';

/** An id is far shorter. */
const idBytesMax = 1000;

/** @returns null when none is stored. */
export async function readLocationId(store: ObjectStore): Promise<string | null> {
  return askStore(store, async () => {
    try {
      const { Body, ContentLength = 0 } = await store.client.send(new GetObjectCommand(objectOf(store)));
      if (ContentLength > idBytesMax) throw new Error('the id of the blob store is too long');
      return (await Body?.transformToString()) ?? null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  });
}

export async function keepLocationId(store: ObjectStore, id: string): Promise<void> {
  await askStore(store, () => store.client.send(new PutObjectCommand({ ...objectOf(store), Body: id })));
}

/** Workspace ids contain no dot: readers and the sweeper ignore this object. */
function objectOf({ bucket, prefix }: ObjectStore) {
  return { Bucket: bucket, Key: `${prefix}.place-id` };
}
