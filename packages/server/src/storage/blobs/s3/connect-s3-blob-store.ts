import type { BlobStore } from '../../../service/ports/blob-store.ts';
import { checkBucket } from './check-bucket.ts';
import { keepLocationId, readLocationId } from './location-id.ts';
import { objectName } from './object-names.ts';
import {
  createObjectStore,
  type Timeouts,
  usualCopyPartBytes,
  usualPartBytes,
  usualTimeouts,
} from './object-store.ts';
import type { ObjectLocation } from './parse-blob-url.ts';
import { openObject } from './read-object.ts';
import { beginS3Upload } from './s3-upload.ts';
import { abortOldUploads, listObjects, removeObject, removeOldStaging } from './sweep-objects.ts';

export interface S3BlobStoreOptions {
  /** From `parseBlobUrl`. Credentials come from the AWS environment variables or from the machine's role. */
  readonly location: ObjectLocation;
  readonly timeouts?: Partial<Timeouts>;
  /** Bytes in one part of an upload, at least 5 MiB where the store requires that. Default 8 MiB. */
  readonly partBytes?: number;
  /** Bytes in one copy request, at least the same. Default 128 MiB. */
  readonly copyPartBytes?: number;
  /** Reports a problem outside a request, or one that only the operator can fix. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/** Implements `openS3BlobStore`, once its client library is loaded. */
export async function connectS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const { location, partBytes = usualPartBytes, copyPartBytes = usualCopyPartBytes, reportProblem } = options;
  const timeouts = { ...usualTimeouts, ...options.timeouts };
  const store = createObjectStore(location, { timeouts, partBytes, copyPartBytes, reportProblem });
  await checkBucket(store);
  return {
    beginUpload: async (workspaceId) => beginS3Upload(store, workspaceId),
    open: (key, range) => openObject(store, key, range),
    readPlaceId: () => readLocationId(store),
    keepPlaceId: (id) => keepLocationId(store, id),
    remove: (key) => removeObject(store, objectName(store, key)),
    list: (olderThan, workspaceId) => listObjects(store, olderThan, workspaceId),
    removeAbandonedUploads: async (olderThan) =>
      (await removeOldStaging(store, olderThan)) + (await abortOldUploads(store, olderThan)),
  };
}
