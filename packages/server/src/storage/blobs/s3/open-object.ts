import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { byteStream } from './byte-stream.ts';
import { checkObject, getObject, type ObjectRange } from './get-object.ts';
import { objectBytes } from './object-bytes.ts';
import { objectName } from './object-name.ts';
import type { ObjectStore } from './object-store.ts';
import { checkedBytes, checkedRange } from './range-checks.ts';
import { verifiedBytes } from './verified-bytes.ts';

/**
 * Streams a range of an object. A whole one is hashed as it passes. Around a part as much is read as its checks are of:
 * less than a mebibyte more at each end, of objects beyond 300 MiB less than a hundred-and-fiftieth of them.
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
  const isWhole = sizeBytes === range.sizeBytes;
  const wider = isWhole ? range : checkedRange(range);
  const first = await getObject(store, name, wider, reading.signal);
  const bytes = objectBytes(store, name, wider, first.body, reading.signal);
  return byteStream(
    isWhole ? verifiedBytes(bytes, key.contentHash) : checkedBytes(bytes, range, first.checks),
    sizeBytes,
    () => reading.abort(),
  );
}
