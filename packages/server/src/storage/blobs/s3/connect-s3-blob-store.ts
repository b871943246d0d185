import type { BlobStore } from '../../../service/ports/blob-store.ts';
import { checkBucket } from './check-bucket.ts';
import { objectName } from './object-names.ts';
import {
  createObjectStore,
  type Timeouts,
  usualCopyPartBytes,
  usualPartBytes,
  usualTimeouts,
} from './object-store.ts';
import type { ObjectPlace } from './parse-blob-url.ts';
import { keepPlaceId, readPlaceId } from './place-id.ts';
import { openObject } from './read-object.ts';
import { beginS3Upload } from './s3-upload.ts';
import { abortOldUploads, listObjects, removeObject, removeOldStaging } from './sweep-objects.ts';

export interface S3BlobStoreOptions {
  /** From `parseBlobUrl`. Credentials come from the AWS environment variables or from what the machine is given. */
  readonly place: ObjectPlace;
  readonly timeouts?: Partial<Timeouts>;
  /** What one request sends of a large content, at least 5 MiB where the store asks for that. Usually 8 MiB. */
  readonly partBytes?: number;
  /** What one request copies, at least as much. Usually 128 MiB. */
  readonly copyPartBytes?: number;
  /** Something went wrong beside a request, or in a way that only the operator can mend. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/** What `openS3BlobStore` gives, once the client for it is loaded. */
export async function connectS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const { place, partBytes = usualPartBytes, copyPartBytes = usualCopyPartBytes, reportProblem } = options;
  const timeouts = { ...usualTimeouts, ...options.timeouts };
  const store = createObjectStore(place, { timeouts, partBytes, copyPartBytes, reportProblem });
  await checkBucket(store);
  return {
    beginUpload: async (workspaceId) => beginS3Upload(store, workspaceId),
    open: (key, range) => openObject(store, key, range),
    readPlaceId: () => readPlaceId(store),
    keepPlaceId: (id) => keepPlaceId(store, id),
    remove: (key) => removeObject(store, objectName(store, key)),
    list: (olderThan, workspaceId) => listObjects(store, olderThan, workspaceId),
    removeAbandonedUploads: async (olderThan) =>
      (await removeOldStaging(store, olderThan)) + (await abortOldUploads(store, olderThan)),
  };
}
