import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { copySource } from './object-names.ts';
import type { ObjectStore } from './object-store.ts';
import { checksIn, objectMetadata } from './range-checks.ts';
import { createCleanup } from './upload-cleanup.ts';

const checkMsMax = 60_000;
const retryMs = 250;

/**
 * Checks at start, rather than at the first write, that the bucket exists and that objects can be written, copied,
 * read, removed and uploaded in parts. Waits for a store that does not respond yet, since both may have been started
 * together.
 * @throws Error with a message for the operator
 */
export async function checkBucket(store: ObjectStore): Promise<void> {
  const giveUpAt = performance.now() + store.timeouts.startMs;
  for (;;) {
    try {
      await tryBucket(store);
      return;
    } catch (error) {
      if (isAway(error) && performance.now() + retryMs < giveUpAt) {
        await pause(retryMs);
        continue;
      }
      throw new Error(`The bucket ${store.bucket} of STOA_BLOB_URL cannot be used: ${reasonOf(error)}`);
    }
  }
}

async function tryBucket(store: ObjectStore): Promise<void> {
  const { client, bucket, prefix } = store;
  // Workspace ids contain no dot: readers and the sweeper ignore this object.
  const object = { Bucket: bucket, Key: `${prefix}.check/${randomBytes(8).toString('hex')}` };
  const copy = { ...object, Key: `${object.Key}.copy` };
  const inParts = { ...object, Key: `${object.Key}.parts` };
  const Body = randomBytes(64);
  // The maximum of one object.
  const checks = randomBytes(1200).toString('base64');
  const options = { abortSignal: AbortSignal.timeout(checkMsMax) };
  const cleanup = createCleanup(store);
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), options);
    for (const { Key } of [object, copy, inParts]) cleanup.addObject(Key);
    await client.send(new PutObjectCommand({ ...object, Body }), options);
    const copying = new CopyObjectCommand({
      ...copy,
      CopySource: copySource(store, object.Key),
      MetadataDirective: 'REPLACE',
      Metadata: objectMetadata(checks),
    });
    await client.send(copying, options);
    const { Body: responded, Metadata } = await client.send(new GetObjectCommand(copy), options);
    const read = await responded?.transformToByteArray();
    if (read === undefined || !Body.equals(read)) throw new Error('it returns other bytes than were written');
    if (checksIn(Metadata) !== checks) throw new Error('it loses the metadata of an object');

    const { UploadId } = await client.send(new CreateMultipartUploadCommand(inParts), options);
    const upload = { ...inParts, UploadId };
    const ended = cleanup.add((abortSignal) =>
      client.send(new AbortMultipartUploadCommand(upload), { abortSignal }),
    );
    const part = { PartNumber: 1, Body, ContentLength: Body.byteLength };
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, ...part }), options);
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), options);
    ended();
    const { ContentLength } = await client.send(new HeadObjectCommand(inParts), options);
    if (ContentLength !== Body.byteLength) throw new Error('it does not assemble an object from parts');

    // Not left to the cleanup, which never fails: without the right to remove objects, the server would fill the
    // bucket.
    for (const one of [copy, inParts, object]) await client.send(new DeleteObjectCommand(one), options);
  } catch (error) {
    await cleanup.run('objects of the bucket check remain below .check/');
    throw error;
  }
}

/** Whether the store may become reachable in a moment. */
function isAway(error: unknown): boolean {
  if (error instanceof S3ServiceException) return (error.$metadata.httpStatusCode ?? 0) >= 500;
  return error instanceof Error && (error.name === 'TimeoutError' || 'code' in error);
}

const forbidden =
  'access is denied: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may list the bucket, read, write, copy and remove objects, and upload them in parts';

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
  return `the store responds ${status} ${error.name}: ${error.message}`;
}
