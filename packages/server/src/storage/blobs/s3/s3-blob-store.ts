import type { BlobStore } from '../../../service/ports/blob-store.ts';
import type { S3BlobStoreOptions } from './connect-s3-blob-store.ts';

/**
 * Large contents as objects in an S3-compatible store, which any number of processes share.
 * @throws Error with a message for the operator when the bucket does not exist or cannot be written, read and cleared.
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  // Amazon's client takes a quarter of a second and 70 MB to load, which a server with files on disk does not need.
  const { connectS3BlobStore } = await import('./connect-s3-blob-store.ts');
  return connectS3BlobStore(options);
}
