import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { parseObjectName } from './object-name.ts';
import type { ObjectStore } from './object-store.ts';
import { isStagingName } from './staging-name.ts';
import { askStore, isAbsent } from './store-failure.ts';

const pageUploadsMax = 1000;
/** What a round leaves, the next one finds. */
const pagesMax = 10;

/**
 * Ends uploads in parts that began before `olderThan` and were never finished, those that clients sent and those that
 * ranges were copied into: their parts are kept, and paid for, until then. @returns how many.
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
          // Another process was quicker, or the upload was finished after all.
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
