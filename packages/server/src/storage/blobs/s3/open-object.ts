import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { byteStream } from './byte-stream.ts';
import { checkObject, getObject, type ObjectRange } from './get-object.ts';
import { objectBytes } from './object-bytes.ts';
import { objectName } from './object-name.ts';
import type { ObjectStore } from './object-store.ts';
import { verifiedBytes } from './verified-bytes.ts';

/**
 * Streams a range of an object. A whole one is hashed as it passes; of a part, the store's word on place and length is
 * all there is.
 * @throws WorkspaceError `stored_bytes_missing`, `overloaded`
 */
export async function openObject(
  store: ObjectStore,
  key: BlobKey,
  range: ObjectRange,
): Promise<ReadableStream<Uint8Array>> {
  const name = objectName(store, key);
  const sizeBytes = range.end - range.start;
  const reading = new AbortController();
  if (sizeBytes === 0) {
    await checkObject(store, name, range.sizeBytes);
    return new ReadableStream({ type: 'bytes', start: (controller) => controller.close() });
  }
  const first = await getObject(store, name, range, reading.signal);
  const bytes = objectBytes(store, name, range, first, reading.signal);
  const isWhole = sizeBytes === range.sizeBytes;
  return byteStream(isWhole ? verifiedBytes(bytes, key.contentHash) : bytes, sizeBytes, () =>
    reading.abort(),
  );
}
