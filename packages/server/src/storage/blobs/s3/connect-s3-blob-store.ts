import type { BlobStore } from '../../../service/ports/blob-store.ts';
import { abortOldUploads } from './abort-old-uploads.ts';
import { checkBucket } from './check-bucket.ts';
import { listObjects } from './list-objects.ts';
import { objectName } from './object-name.ts';
import { createObjectStore, usualCopyPartBytes, usualPatience } from './object-store.ts';
import { openObject } from './open-object.ts';
import { removeObject } from './remove-object.ts';
import { removeOldStaging } from './remove-old-staging.ts';
import type { S3BlobStoreOptions } from './s3-blob-store-options.ts';
import { beginS3Upload } from './s3-upload.ts';

/** What `openS3BlobStore` gives, once the client for it is loaded. */
export async function connectS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const { place, copyPartBytes = usualCopyPartBytes, reportProblem } = options;
  const patience = { ...usualPatience, ...options.patience };
  const store = createObjectStore(place, { patience, copyPartBytes, reportProblem });
  await checkBucket(store);
  return {
    beginUpload: async (workspaceId) => beginS3Upload(store, workspaceId),
    open: (key, range) => openObject(store, key, range),
    remove: (key) => removeObject(store, objectName(store, key)),
    list: (olderThan) => listObjects(store, olderThan),
    removeAbandonedUploads: async (olderThan) =>
      (await removeOldStaging(store, olderThan)) + (await abortOldUploads(store, olderThan)),
  };
}
