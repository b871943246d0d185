import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { WorkspaceError } from '@stoa/core';
import type { ObjectStore } from './object-store.ts';
import { type Part, partBytes } from './part-buffer.ts';
import { askStore } from './store-failure.ts';

/** What all stores know as their limit. */
const partsMax = 10_000;

/** An object that is sent in parts. It is not there before `complete`. */
export interface MultipartUpload {
  /**
   * Sends the next part; the store checks it against its MD5. Its bytes must stay as they are meanwhile.
   * @throws WorkspaceError `file_too_large` beyond 10,000 parts, and as `storeRefusal`
   */
  send(part: Part): Promise<void>;
  /** @returns the entity tag that the object has from now on. A failure does not tell that it is not there. */
  complete(): Promise<string | undefined>;
  /** Gives back what the store keeps for the parts. */
  abort(signal: AbortSignal): Promise<void>;
}

/** @param signal ends the sending of parts when the upload is given up. */
export async function beginMultipartUpload(
  store: ObjectStore,
  name: string,
  signal: AbortSignal,
): Promise<MultipartUpload> {
  const { client, patience } = store;
  const place = { Bucket: store.bucket, Key: name };
  // Never given up halfway: an upload whose name is not known could not be ended.
  const { UploadId } = await askStore(store, () => client.send(new CreateMultipartUploadCommand(place)));
  if (UploadId === undefined) throw new Error('the object store began an upload without a name');
  const sending = { abortSignal: signal, requestTimeout: patience.uploadMs };
  const parts: CompletedPart[] = [];
  return {
    async send({ bytes, md5 }) {
      const PartNumber = parts.length + 1;
      if (PartNumber > partsMax) {
        throw new WorkspaceError('file_too_large', { limitBytes: partsMax * partBytes });
      }
      const command = new UploadPartCommand({
        ...place,
        UploadId,
        PartNumber,
        Body: bytes,
        ContentLength: bytes.byteLength,
        ContentMD5: md5,
      });
      const { ETag } = await askStore(store, () => client.send(command, sending));
      if (ETag === undefined) throw new Error('the object store took a part without naming it');
      parts.push({ PartNumber, ETag });
    },
    async complete() {
      const command = new CompleteMultipartUploadCommand({
        ...place,
        UploadId,
        MultipartUpload: { Parts: parts },
      });
      return (await askStore(store, () => client.send(command, sending))).ETag;
    },
    async abort(abortSignal) {
      await client.send(new AbortMultipartUploadCommand({ ...place, UploadId }), { abortSignal });
    },
  };
}
