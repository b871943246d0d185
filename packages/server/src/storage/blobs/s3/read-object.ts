import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { type ContentHash, WorkspaceError } from '@stoa/core';
import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { objectName } from './object-names.ts';
import { isAbsent, type ObjectStore, storeError } from './object-store.ts';
import { checkedBytes, checkedRange, checksIn, type ObjectRange } from './range-checks.ts';

/**
 * Streams a range of an object. A whole object is hashed as it streams. Around a part it also reads the rest of the
 * bytes that its checksums cover. That is less than a mebibyte more at each end, and for objects beyond 300 MiB less
 * than 1/150 of the object.
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

/** The response to a read, and the object's checksums, if any. */
interface FoundObject {
  readonly body: Readable;
  readonly checks: string | undefined;
}

/**
 * Starts reading a non-empty range.
 * @throws WorkspaceError `stored_bytes_missing` when the object does not exist or has another size; as `storeError`
 * when the request fails
 */
async function getObject(
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
  const found = await presentOrRejected(store, () => store.client.send(command, { abortSignal: signal }));
  if (!(found.Body instanceof Readable)) throw new Error('the object store sent a response without a body');
  const wantedRange = isWhole ? undefined : `bytes ${start}-${end - 1}/${sizeBytes}`;
  if (found.ContentLength === end - start && found.ContentRange === wantedRange) {
    return { body: found.Body, checks: checksIn(found.Metadata) };
  }
  found.Body.destroy();
  throw new WorkspaceError('stored_bytes_missing');
}

/** @throws WorkspaceError as `getObject` */
async function checkObject(store: ObjectStore, name: string, sizeBytes: number): Promise<void> {
  const command = new HeadObjectCommand({ Bucket: store.bucket, Key: name });
  const { ContentLength } = await presentOrRejected(store, () => store.client.send(command));
  if (ContentLength !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
}

async function presentOrRejected<Result>(store: ObjectStore, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    throw isAbsent(error) ? new WorkspaceError('stored_bytes_missing') : storeError(store, error);
  }
}

/** The size of one chunk for a reader without a buffer of its own. */
const chunkBytes = 64 * 1024;
/** Maximum number of times that one download resumes after a broken connection. */
const resumptionsMax = 8;
const backoffMsMin = 50;
const backoffMsMax = 2_000;

/**
 * Yields all bytes of a range and resumes after a broken connection. Never ends early.
 * @param first the response for the start of the range
 * @param signal aborts immediately, and closes the connection
 * @throws WorkspaceError as `getObject`
 */
async function* objectBytes(
  store: ObjectStore,
  name: string,
  range: ObjectRange,
  first: Readable,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  let body = first;
  let at = range.start;
  for (let resumptions = 0; ; resumptions += 1) {
    let failure: unknown = new Error('the object store closed the connection early');
    try {
      for await (const chunk of chunksOf(body, store.timeouts.stallMs, signal)) {
        at += chunk.byteLength;
        if (at > range.end) throw new WorkspaceError('stored_bytes_missing');
        yield chunk;
      }
    } catch (error) {
      failure = error;
    }
    if (at === range.end) return;
    if (signal.aborted || failure instanceof WorkspaceError) throw failure;
    if (resumptions >= resumptionsMax) throw storeError(store, failure);
    await pause(backoffMs(resumptions), undefined, { signal });
    ({ body } = await getObject(store, name, { ...range, start: at }, signal));
  }
}

function backoffMs(resumptions: number): number {
  return Math.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** resumptions);
}

/** The stall timeout runs only while a reader waits for a chunk: a slow reader is not a stalled store. */
async function* chunksOf(
  body: Readable,
  stallMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const end = () => body.destroy();
  signal.addEventListener('abort', end, { once: true });
  const chunks: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const stalled = setTimeout(() => body.destroy(new Error(`no bytes for ${stallMs} ms`)), stallMs);
      const { value, done } = await chunks.next().finally(() => clearTimeout(stalled));
      if (done) return;
      if (!(value instanceof Uint8Array)) throw new Error('the body of a response is not bytes');
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', end);
    body.destroy();
  }
}

/**
 * Yields all bytes of a content, the last chunk only when the hash matches: a receiver gets all announced bytes only if
 * they are correct.
 * @throws WorkspaceError `stored_bytes_missing` in place of the last chunk.
 */
async function* verifiedBytes(
  bytes: AsyncIterable<Uint8Array>,
  contentHash: ContentHash,
): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256');
  let held: Uint8Array | null = null;
  for await (const chunk of bytes) {
    if (chunk.byteLength === 0) continue;
    if (held !== null) yield held;
    hash.update(chunk);
    held = chunk;
  }
  if (hash.digest('hex') !== contentHash) throw new WorkspaceError('stored_bytes_missing');
  if (held !== null) yield held;
}

/**
 * A byte stream whose reader may bring its own buffers. It fetches chunks on demand, and ends after `sizeBytes` bytes.
 * @param giveUp called when the reader cancels
 */
function byteStream(
  bytes: AsyncIterator<Uint8Array>,
  sizeBytes: number,
  giveUp: () => void,
): ReadableStream<Uint8Array> {
  let chunk: Uint8Array = new Uint8Array();
  let leftBytes = sizeBytes;
  const endWhenRead = (controller: ReadableByteStreamController) => {
    if (leftBytes > 0) return;
    controller.close();
    // A pending read ends only when its buffer is returned.
    controller.byobRequest?.respond(0);
  };
  return new ReadableStream({
    type: 'bytes',
    // Makes every read one into a given buffer, ours or the reader's.
    autoAllocateChunkSize: chunkBytes,
    start: endWhenRead,
    async pull(controller) {
      while (chunk.byteLength === 0) {
        const next = await bytes.next();
        if (next.done) throw new Error(`a stream of ${sizeBytes} bytes ended ${leftBytes} early`);
        chunk = next.value;
      }
      const request = controller.byobRequest;
      const view = request?.view;
      if (!request || !(view instanceof Uint8Array)) throw new Error('a read without a buffer of bytes');
      const part = chunk.subarray(0, Math.min(view.byteLength, leftBytes));
      view.set(part);
      chunk = chunk.subarray(part.byteLength);
      leftBytes -= part.byteLength;
      request.respond(part.byteLength);
      endWhenRead(controller);
      if (leftBytes === 0) await bytes.return?.();
    },
    async cancel() {
      giveUp();
      await bytes.return?.();
    },
  });
}
