import { HeadObjectCommand } from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';
import { askStore, isAbsent } from './store-failure.ts';

/** What an upload must have become. The entity tag is what the store answered, if its answer arrived. */
export interface SentObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly entityTag: string | undefined;
}

/** @throws Error when the object is not there as it was sent; WorkspaceError when the store does not say. */
export async function makeSure(
  store: ObjectStore,
  { name, sizeBytes, entityTag }: SentObject,
): Promise<void> {
  const found = await askStore(store, () =>
    store.client
      .send(new HeadObjectCommand({ Bucket: store.bucket, Key: name }))
      .catch((error: unknown) => (isAbsent(error) ? null : Promise.reject(error))),
  );
  if (found === null) throw new Error(`an upload of ${sizeBytes} bytes is not there`);
  if (found.ContentLength !== sizeBytes) {
    throw new Error(`an upload of ${sizeBytes} bytes is an object of ${found.ContentLength}`);
  }
  const [answered, there] = [bare(entityTag), bare(found.ETag)];
  if (answered !== null && there !== null && answered !== there) {
    throw new Error(`an upload became ${answered} and is now ${there}`);
  }
}

/** Stores differ in where they quote it. */
function bare(entityTag: string | undefined): string | null {
  return entityTag?.replaceAll('"', '') ?? null;
}
