import type { BlobStore } from '../../../service/ports/blob-store.ts';
import type { Timeouts } from './object-store.ts';
import type { ObjectPlace } from './parse-blob-url.ts';

/**
 * Large contents as objects in an S3-compatible store, which any number of processes share.
 * @throws Error with a sentence for the operator when the bucket is not there or cannot be written, read and cleared.
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  // Amazon's client takes a quarter of a second and 70 MB to load: a server that keeps its files on disk goes without.
  const { connectS3BlobStore } = await import('./connect-s3-blob-store.ts');
  return connectS3BlobStore(options);
}

export interface S3BlobStoreOptions {
  /** From `parseBlobUrl`. Credentials come from the AWS environment variables or from what the machine is given. */
  readonly place: ObjectPlace;
  readonly timeouts?: Partial<Timeouts>;
  /** What one request copies, at least 5 MiB. Usually 128 MiB. */
  readonly copyPartBytes?: number;
  /** Something went wrong beside a request, or in a way that only the operator can mend. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}
