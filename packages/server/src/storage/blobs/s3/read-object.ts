import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { type ContentHash, WorkspaceError } from '@stoa/core';
import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { objectName } from './object-names.ts';
import { isAbsent, type ObjectStore, storeRefusal } from './object-store.ts';
import { checkedBytes, checkedRange, checksIn, type ObjectRange } from './range-checks.ts';

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

/** The answer to a read, and the object's checks where it has any. */
interface FoundObject {
  readonly body: Readable;
  readonly checks: string | undefined;
}

/**
 * Begins to read a range that is not empty.
 * @throws WorkspaceError `stored_bytes_missing` when the object is not there or has another size; as `storeRefusal`
 * when the store cannot be asked
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
async function checkObject(store: ObjectStore, name: string, sizeBytes: number): Promise<void> {
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

/** What is given at once to a reader that brings no buffer of its own. */
const chunkBytes = 64 * 1024;
/** How often one download goes on after its connection broke. */
const resumptionsMax = 8;
const backoffMsMin = 50;
const backoffMsMax = 2_000;

/**
 * All bytes of a range, through broken connections: it goes on where the one before ended. Never ends early.
 * @param first the answer that the range began with
 * @param signal ends it at once, and closes the connection
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
      for await (const chunk of piecesOf(body, store.timeouts.stallMs, signal)) {
        at += chunk.byteLength;
        if (at > range.end) throw new WorkspaceError('stored_bytes_missing');
        yield chunk;
      }
    } catch (error) {
      failure = error;
    }
    if (at === range.end) return;
    if (signal.aborted || failure instanceof WorkspaceError) throw failure;
    if (resumptions >= resumptionsMax) throw storeRefusal(store, failure);
    await pause(backoffMs(resumptions), undefined, { signal });
    ({ body } = await getObject(store, name, { ...range, start: at }, signal));
  }
}

function backoffMs(resumptions: number): number {
  return Math.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** resumptions);
}

/** Counts only the time that somebody waits for a piece: a slow reader does not make a stalled store. */
async function* piecesOf(
  body: Readable,
  stallMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const end = () => body.destroy();
  signal.addEventListener('abort', end, { once: true });
  const pieces: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const stalled = setTimeout(() => body.destroy(new Error(`no bytes for ${stallMs} ms`)), stallMs);
      const { value, done } = await pieces.next().finally(() => clearTimeout(stalled));
      if (done) return;
      if (!(value instanceof Uint8Array)) throw new Error('a body of something else than bytes');
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', end);
    body.destroy();
  }
}

/**
 * Passes on all bytes of a content, the last piece only when the hash of all is right: a receiver never holds as many
 * bytes as were announced unless they are the right ones.
 * @throws WorkspaceError `stored_bytes_missing` in place of the last piece.
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
 * Bytes as a stream whose reader may bring its own buffers. Asks for a piece only when the reader wants one, and ends
 * with the last of `sizeBytes` bytes.
 * @param giveUp called when the reader wants no more
 */
function byteStream(
  bytes: AsyncIterator<Uint8Array>,
  sizeBytes: number,
  giveUp: () => void,
): ReadableStream<Uint8Array> {
  let piece: Uint8Array = new Uint8Array();
  let leftBytes = sizeBytes;
  const endWhenRead = (controller: ReadableByteStreamController) => {
    if (leftBytes > 0) return;
    controller.close();
    // A read that was asked for meanwhile ends only when its buffer is given back.
    controller.byobRequest?.respond(0);
  };
  return new ReadableStream({
    type: 'bytes',
    // Makes every read one into a given buffer, ours or the reader's.
    autoAllocateChunkSize: chunkBytes,
    start: endWhenRead,
    async pull(controller) {
      while (piece.byteLength === 0) {
        const next = await bytes.next();
        if (next.done) throw new Error(`a stream of ${sizeBytes} bytes ended ${leftBytes} early`);
        piece = next.value;
      }
      const request = controller.byobRequest;
      const view = request?.view;
      if (!request || !(view instanceof Uint8Array)) throw new Error('a read without a buffer of bytes');
      const part = piece.subarray(0, Math.min(view.byteLength, leftBytes));
      view.set(part);
      piece = piece.subarray(part.byteLength);
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
