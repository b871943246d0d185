import type { RunningObjectStore } from '../../../../../tests/support/object-store.ts';
import type { BlobStore } from '../../../src/service/ports/blob-store.ts';
import type { Patience } from '../../../src/storage/blobs/s3/object-store.ts';
import { openS3BlobStore } from '../../../src/storage/blobs/s3/open-s3-blob-store.ts';
import { parseBlobUrl } from '../../../src/storage/blobs/s3/parse-blob-url.ts';

export const testBucket = 'contents';

export interface OpenedS3Blobs {
  readonly blobs: BlobStore;
  readonly problems: readonly { readonly message: string; readonly cause: unknown }[];
}

/** The store as a server opens it: from a URL, with the credentials in its environment. */
export async function openS3Blobs(
  store: Pick<RunningObjectStore, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>,
  options: { readonly bucket?: string; readonly prefix?: string; readonly patience?: Partial<Patience> } = {},
): Promise<OpenedS3Blobs> {
  const { bucket = testBucket, prefix = 'stoa', patience } = options;
  process.env.AWS_ACCESS_KEY_ID = store.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = store.secretAccessKey;
  const problems: { message: string; cause: unknown }[] = [];
  const blobs = await openS3BlobStore({
    place: parseBlobUrl(
      `s3://${bucket}/${prefix}?endpoint=${store.endpoint}&region=${store.region}&pathStyle=true`,
    ),
    ...(patience === undefined ? {} : { patience }),
    reportProblem: (message, cause) => problems.push({ message, cause }),
  });
  return { blobs, problems };
}
