import { hash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectStoreAccess } from './back-end-servers.ts';

const pagesMax = 100;

/** Removes the objects below a prefix, or only those that have bytes of this hash. @returns their number. */
export async function removeObjects(
  access: ObjectStoreAccess,
  prefix: string,
  contentHash: string | undefined,
): Promise<number> {
  const { endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey } = access;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  try {
    const keys: string[] = [];
    let token: string | undefined;
    for (let page = 0; page < pagesMax; page += 1) {
      const listed: ListObjectsV2CommandOutput = await client.send(
        new ListObjectsV2Command({
          Bucket,
          Prefix: `${prefix}/`,
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      const names = (listed.Contents ?? []).map(({ Key = '' }) => Key);
      keys.push(...names.filter((name) => !name.endsWith('/.place-id')));
      token = listed.NextContinuationToken;
      if (token === undefined) break;
    }
    let removed = 0;
    for (const Key of keys) {
      if (contentHash !== undefined) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        if (hash('sha256', bytes) !== contentHash) continue;
      }
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
      removed += 1;
    }
    return removed;
  } finally {
    client.destroy();
  }
}
