import type { BlobStore } from '../../../service/ports/blob-store.ts';
import { abortOldUploads } from './abort-old-uploads.ts';
import { checkBucket } from './check-bucket.ts';
import { listObjects, removeObject } from './list-objects.ts';
import { createObjectStore, type Patience, usualPatience } from './object-store.ts';
import { openObject } from './open-object.ts';
import type { ObjectPlace } from './parse-blob-url.ts';
import { beginS3Upload } from './s3-upload.ts';

export interface S3BlobStoreOptions {
  /** From `parseBlobUrl`. Credentials come from the AWS environment variables or from what the machine is given. */
  readonly place: ObjectPlace;
  readonly patience?: Partial<Patience>;
  /** Something went wrong beside a request, or in a way that only the operator can mend. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/**
 * Large contents as objects in an S3-compatible store, which any number of processes share.
 * @throws Error with a sentence for the operator when the bucket is not there or cannot be written, read and cleared.
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const { place, patience, reportProblem } = options;
  const store = createObjectStore(place, { ...usualPatience, ...patience }, reportProblem);
  await checkBucket(store);
  return {
    beginUpload: async (workspaceId) => beginS3Upload(store, workspaceId),
    open: (key, range) => openObject(store, key, range),
    remove: (key) => removeObject(store, key),
    list: (olderThan) => listObjects(store, olderThan),
    removeAbandonedUploads: (olderThan) => abortOldUploads(store, olderThan),
  };
}
