import { randomBytes } from 'node:crypto';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { copySource } from './object-names.ts';
import type { ObjectStore } from './object-store.ts';
import { checksIn, objectMetadata } from './range-checks.ts';

const checkMsMax = 60_000;

/**
 * Finds out now rather than at the first write whether the bucket is there and takes, copies, gives and removes an
 * object.
 * @throws Error with a sentence for the operator
 */
export async function checkBucket(store: ObjectStore): Promise<void> {
  const { client, bucket, prefix } = store;
  // A dot is in no workspace's id: neither a reader nor the sweeper takes it for one of ours.
  const object = { Bucket: bucket, Key: `${prefix}.check/${randomBytes(8).toString('hex')}` };
  const copy = { ...object, Key: `${object.Key}.copy` };
  const Body = randomBytes(64);
  // As many as an object can have.
  const checks = randomBytes(1200).toString('base64');
  const options = { abortSignal: AbortSignal.timeout(checkMsMax) };
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), options);
    await client.send(new PutObjectCommand({ ...object, Body }), options);
    const copying = new CopyObjectCommand({
      ...copy,
      CopySource: copySource(store, object.Key),
      MetadataDirective: 'REPLACE',
      Metadata: objectMetadata(checks),
    });
    await client.send(copying, options);
    const { Body: answered, Metadata } = await client.send(new GetObjectCommand(copy), options);
    const read = await answered?.transformToByteArray();
    for (const one of [copy, object]) await client.send(new DeleteObjectCommand(one), options);
    if (read === undefined || !Body.equals(read)) throw new Error('it gives other bytes than it took');
    if (checksIn(Metadata) !== checks) throw new Error('it loses what is kept beside an object');
  } catch (error) {
    throw new Error(`The bucket ${bucket} of STOA_BLOB_URL cannot be used: ${reasonOf(error)}`);
  }
}

const forbidden =
  'access is refused: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may list the bucket, read, write, copy and remove objects';

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'CredentialsProviderError') {
    return 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  }
  if (!(error instanceof S3ServiceException)) return error.message || error.name;
  const status = error.$metadata.httpStatusCode;
  if (status === 401 || status === 403) return forbidden;
  if (status === 404) return 'it does not exist: create it, or name another one';
  if (status === 301) return 'it is in another region: set region';
  return `the store answers ${status} ${error.name}: ${error.message}`;
}
