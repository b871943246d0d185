import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { WorkspaceError } from '@stoa/core';
import { checksIn } from './object-metadata.ts';
import type { ObjectStore } from './object-store.ts';
import { isAbsent, storeRefusal } from './store-failure.ts';

/** Bytes from `start` up to and without `end` of an object that must have `sizeBytes`. */
export interface ObjectRange {
  readonly start: number;
  readonly end: number;
  readonly sizeBytes: number;
}

/** The answer to a read, and the object's checks where it has any. */
export interface FoundObject {
  readonly body: Readable;
  readonly checks: string | undefined;
}

/**
 * Begins to read a range that is not empty.
 * @throws WorkspaceError `stored_bytes_missing` when the object is not there or has another size; as `storeRefusal`
 * when the store cannot be asked
 */
export async function getObject(
  store: ObjectStore,
  name: string,
  { start, end, sizeBytes }: ObjectRange,
  signal: AbortSignal,
): Promise<FoundObject> {
  const isWhole = start === 0 && end === sizeBytes;
  const command = new GetObjectCommand({
    Bucket: store.bucket,
    Key: name,
    ...(isWhole ? {} : { Range: `bytes=${start}-${end - 1}` }),
  });
  const found = await presentOrRefused(store, () => store.client.send(command, { abortSignal: signal }));
  if (!(found.Body instanceof Readable)) throw new Error('the object store answered without a body');
  const wantedRange = isWhole ? undefined : `bytes ${start}-${end - 1}/${sizeBytes}`;
  if (found.ContentLength === end - start && found.ContentRange === wantedRange) {
    return { body: found.Body, checks: checksIn(found.Metadata) };
  }
  found.Body.destroy();
  throw new WorkspaceError('stored_bytes_missing');
}

/** @throws WorkspaceError as `getObject` */
export async function checkObject(store: ObjectStore, name: string, sizeBytes: number): Promise<void> {
  const command = new HeadObjectCommand({ Bucket: store.bucket, Key: name });
  const { ContentLength } = await presentOrRefused(store, () => store.client.send(command));
  if (ContentLength !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
}

async function presentOrRefused<Answer>(store: ObjectStore, send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    throw isAbsent(error) ? new WorkspaceError('stored_bytes_missing') : storeRefusal(store, error);
  }
}
