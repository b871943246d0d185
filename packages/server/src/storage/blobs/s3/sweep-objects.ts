import {
  type _Object,
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { isStagingName, parseObjectName, stagingPrefix, workspacePrefix } from './object-names.ts';
import { askStore, isAbsent, type ObjectStore } from './object-store.ts';

/** Lists objects last written before `olderThan`, by name, so that those of a workspace are together. */
export async function* listObjects(
  store: ObjectStore,
  olderThan: number,
  workspaceId?: string,
): AsyncGenerator<readonly BlobKey[]> {
  const prefix = workspaceId === undefined ? store.prefix : workspacePrefix(store, workspaceId);
  for await (const page of listPages(store, prefix)) {
    const listed: BlobKey[] = [];
    for (const { Key = '', LastModified } of page) {
      const key = parseObjectName(store, Key);
      if (key === null || LastModified === undefined || LastModified.getTime() >= olderThan) continue;
      listed.push(key);
    }
    if (listed.length > 0) yield listed;
  }
}

const pageKeysMax = 1000;

/** Lists all objects whose name begins with `prefix`, by name, in pages of at most 1000. */
async function* listPages(store: ObjectStore, prefix: string): AsyncGenerator<readonly _Object[]> {
  let next: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket: store.bucket,
      Prefix: prefix,
      MaxKeys: pageKeysMax,
      ContinuationToken: next,
    });
    const page = await askStore(store, () => store.client.send(command));
    yield page.Contents ?? [];
    // A page that names itself as the next would cause an endless loop.
    if (page.IsTruncated && (page.NextContinuationToken ?? next) === next) {
      throw new Error('the object store returned no cursor for the next page');
    }
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}

/** A missing object is not an error. */
export async function removeObject(store: ObjectStore, name: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: store.bucket, Key: name });
  await askStore(store, () => store.client.send(command));
}

/** The next round finds the rest. */
const pagesMax = 10;

/**
 * Removes staging objects made before `olderThan`: those of failed uploads, and those whose removal failed. It need not
 * check the rows, which only name the copies.
 * @returns their number.
 */
export async function removeOldStaging(store: ObjectStore, olderThan: number): Promise<number> {
  let removed = 0;
  let pages = 0;
  for await (const page of listPages(store, stagingPrefix(store))) {
    for (const { Key = '', LastModified } of page) {
      if (!isStagingName(store, Key)) continue;
      if (LastModified === undefined || LastModified.getTime() >= olderThan) continue;
      await removeObject(store, Key);
      removed += 1;
    }
    pages += 1;
    if (pages >= pagesMax) break;
  }
  return removed;
}

const pageUploadsMax = 1000;

/**
 * Aborts multipart uploads that began before `olderThan` and were never finished, whether their parts were sent or
 * copied: until then the store keeps their parts and charges for them.
 * @returns their number.
 */
export async function abortOldUploads(store: ObjectStore, olderThan: number): Promise<number> {
  const { client, bucket, prefix } = store;
  let aborted = 0;
  let after: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } = {};
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const list = new ListMultipartUploadsCommand({
      Bucket: bucket,
      Prefix: prefix,
      MaxUploads: pageUploadsMax,
      ...after,
    });
    const page = await askStore(store, () => client.send(list));
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      const isOurs = isStagingName(store, Key) || parseObjectName(store, Key) !== null;
      if (UploadId === undefined || !isOurs) continue;
      if (Initiated === undefined || Initiated.getTime() >= olderThan) continue;
      const abort = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      const isAborted = await askStore(store, () =>
        client.send(abort).then(
          () => true,
          // Another process was faster, or the upload was finished after all.
          (error: unknown) => (isAbsent(error) ? false : Promise.reject(error)),
        ),
      );
      if (isAborted) aborted += 1;
    }
    if (!page.IsTruncated || !page.NextKeyMarker) break;
    after = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
    };
  }
  return aborted;
}
