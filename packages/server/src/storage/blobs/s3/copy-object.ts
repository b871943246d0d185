import { CopyObjectCommand } from '@aws-sdk/client-s3';
import { beginMultipartUpload, type MultipartUpload } from './multipart-upload.ts';
import { copySource } from './object-names.ts';
import type { ObjectStore } from './object-store.ts';
import { askUntilDone } from './object-store.ts';
import type { SentObject } from './put-object.ts';
import { createVerified } from './put-object.ts';
import { objectMetadata } from './range-checks.ts';
import type { Cleanup } from './upload-cleanup.ts';

const rangesAtOnce = 4;

/**
 * Has the store copy an object to another name with its checksums as metadata, and verifies the copy. It takes one
 * request, or beyond `copyPartBytes` several for ranges of that size, a few at a time.
 *
 * Sends no precondition on the source: Swift compares it with another entity tag than it returns. No one else may write
 * to the source's name.
 * @param cleanup receives the objects that a failure may leave under the new name.
 * @throws WorkspaceError as `storeError`; Error as `verifyObject`
 */
export async function copyObject(
  store: ObjectStore,
  from: Omit<SentObject, 'entityTag'>,
  { name, checks }: { readonly name: string; readonly checks: string },
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<void> {
  const copy = { name, sizeBytes: from.sizeBytes };
  if (from.sizeBytes <= store.copyPartBytes) {
    await createVerified(store, copy, () => copyAtOnce(store, from.name, { name, checks }, cleanup, signal));
    return;
  }
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const upload = await beginMultipartUpload(store, name, checks, cleanup, ended);
  await copyRanges(upload, from, store.copyPartBytes, failed);
  await createVerified(store, copy, upload.complete);
}

async function copyAtOnce(
  store: ObjectStore,
  from: string,
  { name, checks }: { readonly name: string; readonly checks: string },
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<string | undefined> {
  cleanup.addObject(name);
  const command = new CopyObjectCommand({
    Bucket: store.bucket,
    Key: name,
    CopySource: copySource(store, from),
    MetadataDirective: 'REPLACE',
    Metadata: objectMetadata(checks),
  });
  const { CopyObjectResult } = await askUntilDone(store, store.timeouts.copyMs, signal, (options) =>
    store.client.send(command, options),
  );
  return CopyObjectResult?.ETag;
}

/** The first failure aborts the others, and is thrown when all have ended: a late one could leave a part. */
async function copyRanges(
  upload: MultipartUpload,
  { name, sizeBytes }: Omit<SentObject, 'entityTag'>,
  rangeBytes: number,
  failed: AbortController,
): Promise<void> {
  const count = Math.ceil(sizeBytes / rangeBytes);
  let begun = 0;
  const copyNext = async () => {
    while (begun < count && !failed.signal.aborted) {
      const start = begun * rangeBytes;
      begun += 1;
      await upload.copy(begun, { name, start, end: Math.min(start + rangeBytes, sizeBytes) });
    }
  };
  const copying = Array.from({ length: rangesAtOnce }, () =>
    copyNext().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(copying);
  failed.signal.throwIfAborted();
}
