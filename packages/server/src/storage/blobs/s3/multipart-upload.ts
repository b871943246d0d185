import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { WorkspaceError } from '@stoa/core';
import { copySource } from './object-names.ts';
import type { ObjectStore } from './object-store.ts';
import { askStore, askUntilDone } from './object-store.ts';
import type { Part } from './put-object.ts';
import { objectMetadata } from './range-checks.ts';
import type { Cleanup } from './upload-cleanup.ts';

/** The limit that all stores share. */
const partsMax = 10_000;

/** A multipart upload. The object does not exist before `complete`. */
export interface MultipartUpload {
  /**
   * Sends the next part; the store checks it against its MD5. The bytes must not change until it resolves.
   * @throws WorkspaceError `file_too_large` beyond 10,000 parts, and as `storeError`
   */
  send(part: Part): Promise<void>;
  /**
   * Has the store fill part `number`, counted from one, with bytes `start` up to and without `end` of another object.
   * Several may run at once, in any order.
   * @throws WorkspaceError as `send`
   */
  copy(
    number: number,
    from: { readonly name: string; readonly start: number; readonly end: number },
  ): Promise<void>;
  /** @returns the entity tag of the new object. After a failure the object may still exist. */
  complete(): Promise<string | undefined>;
}

/**
 * @param checks of the object, null when they are not known yet.
 * @param cleanup receives the upload, then the object.
 * @param signal aborts the sending and copying of parts.
 */
export async function beginMultipartUpload(
  store: ObjectStore,
  name: string,
  checks: string | null,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<MultipartUpload> {
  const { client, timeouts } = store;
  const object = { Bucket: store.bucket, Key: name };
  const Metadata = checks === null ? {} : objectMetadata(checks);
  const begin = new CreateMultipartUploadCommand({ ...object, Metadata });
  // Not abortable: an upload whose id is unknown could not be removed.
  const { UploadId } = await askStore(store, () => client.send(begin));
  if (UploadId === undefined) throw new Error('the object store returned no upload id');
  const location = { ...object, UploadId };
  const dropParts = cleanup.add((abortSignal) =>
    client.send(new AbortMultipartUploadCommand(location), { abortSignal }),
  );
  const parts: CompletedPart[] = [];
  const partNumbered = (PartNumber: number) => {
    if (PartNumber <= partsMax) return { ...location, PartNumber };
    throw new WorkspaceError('file_too_large', { limitBytes: partsMax * store.partBytes });
  };
  const note = (PartNumber: number, ETag: string | undefined) => {
    if (ETag === undefined) throw new Error('the object store returned no entity tag for a part');
    parts[PartNumber - 1] = { PartNumber, ETag };
  };
  return {
    async send({ bytes, md5 }) {
      const number = parts.length + 1;
      const command = new UploadPartCommand({
        ...partNumbered(number),
        Body: bytes,
        ContentLength: bytes.byteLength,
        ContentMD5: md5,
      });
      const options = { abortSignal: signal, requestTimeout: timeouts.uploadMs };
      const { ETag } = await askStore(store, () => client.send(command, options));
      note(number, ETag);
    },
    async copy(number, from) {
      const command = new UploadPartCopyCommand({
        ...partNumbered(number),
        CopySource: copySource(store, from.name),
        CopySourceRange: `bytes=${from.start}-${from.end - 1}`,
      });
      const { CopyPartResult } = await askUntilDone(store, timeouts.copyMs, signal, (options) =>
        client.send(command, options),
      );
      note(number, CopyPartResult?.ETag);
    },
    async complete() {
      cleanup.addObject(name);
      const command = new CompleteMultipartUploadCommand({ ...location, MultipartUpload: { Parts: parts } });
      const { ETag } = await askUntilDone(store, timeouts.uploadMs, signal, (options) =>
        client.send(command, options),
      );
      dropParts();
      return ETag;
    },
  };
}
