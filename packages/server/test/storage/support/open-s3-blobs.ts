import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { RunningObjectStore } from '../../../../../tests/support/object-store.ts';
import type { BlobStore } from '../../../src/service/ports/blob-store.ts';
import type { S3BlobStoreOptions } from '../../../src/storage/blobs/s3/connect-s3-blob-store.ts';
import { parseBlobUrl } from '../../../src/storage/blobs/s3/parse-blob-url.ts';
import { openS3BlobStore } from '../../../src/storage/blobs/s3/s3-blob-store.ts';

export const testBucket = 'contents';

export interface OpenedS3Blobs {
  readonly blobs: BlobStore;
  readonly problems: readonly { readonly message: string; readonly cause: unknown }[];
  forgetProblems(): void;
  /** Of all objects below the prefix, without it, as the store lists them: a page at most. */
  names(): Promise<string[]>;
  /** Puts an object below the prefix that no upload made. */
  put(name: string): Promise<void>;
  /** Removes the object of that name below the prefix. */
  remove(name: string): Promise<void>;
}

/** The store as a server opens it: from a URL, with the credentials in its environment. */
export async function openS3Blobs(
  store: Pick<RunningObjectStore, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>,
  options: { readonly bucket?: string; readonly prefix?: string } & Partial<
    Pick<S3BlobStoreOptions, 'timeouts' | 'partBytes' | 'copyPartBytes'>
  > = {},
): Promise<OpenedS3Blobs> {
  const { bucket: Bucket = testBucket, prefix = 'stoa', ...how } = options;
  const { endpoint, region, accessKeyId, secretAccessKey } = store;
  process.env.AWS_ACCESS_KEY_ID = accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey;
  const problems: { message: string; cause: unknown }[] = [];
  const blobs = await openS3BlobStore({
    location: parseBlobUrl(`s3://${Bucket}/${prefix}?endpoint=${endpoint}&region=${region}&pathStyle=true`),
    ...how,
    reportProblem: (message, cause) => problems.push({ message, cause }),
  });
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  return {
    blobs,
    problems,
    forgetProblems: () => void problems.splice(0),
    async names() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${prefix}/` }));
      return Contents.map(({ Key = '' }) => Key.slice(prefix.length + 1));
    },
    put: async (name) =>
      void (await client.send(
        new PutObjectCommand({ Bucket, Key: `${prefix}/${name}`, Body: new Uint8Array(1) }),
      )),
    remove: async (name) =>
      void (await client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}/${name}` }))),
  };
}
