import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type ContentHash, WorkspaceError } from '@stoa/core';

/** The size of one read for a reader without a buffer of its own. */
const chunkBytes = 256 * 1024;

/**
 * Streams bytes `start` to `end` of a file of a known size, in chunks and on demand. A reader may bring its own
 * buffers. A whole file is hashed as it streams, and its last chunk is delivered only when the hash matches: a receiver
 * gets all announced bytes only if they are correct.
 * @throws WorkspaceError `stored_bytes_missing` when the file does not exist or has another size. When a file is
 * truncated or altered afterwards, the stream fails: it never ends early.
 */
export async function readBlobFile(
  file: string,
  range: { readonly start: number; readonly end: number; readonly sizeBytes: number },
  contentHash: ContentHash,
): Promise<ReadableStream<Uint8Array>> {
  const handle = await openWhole(file, range.sizeBytes);
  const isWhole = range.start === 0 && range.end === range.sizeBytes;
  // The hash of a part is unknown, so a part cannot be verified.
  const hash = isWhole ? createHash('sha256') : null;
  let position = range.start;
  const endWhenRead = async (controller: ReadableByteStreamController) => {
    if (position < range.end) return;
    await handle.close();
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
      try {
        const request = controller.byobRequest;
        const view = request?.view;
        if (!request || !(view instanceof Uint8Array)) throw new Error('a read without a buffer of bytes');
        const wanted = Math.min(view.byteLength, range.end - position);
        const { bytesRead } = await handle.read(view, 0, wanted, position);
        if (bytesRead === 0) throw new WorkspaceError('stored_bytes_missing');
        position += bytesRead;
        hash?.update(view.subarray(0, bytesRead));
        if (position === range.end && hash !== null && hash.digest('hex') !== contentHash) {
          throw new WorkspaceError('stored_bytes_missing');
        }
        request.respond(bytesRead);
        await endWhenRead(controller);
      } catch (error) {
        await handle.close();
        controller.error(error);
      }
    },
    cancel: () => handle.close(),
  });
}

async function openWhole(file: string, sizeBytes: number): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (isAbsent(error)) throw new WorkspaceError('stored_bytes_missing');
    throw error;
  }
  const { size } = await handle.stat();
  if (size === sizeBytes) return handle;
  await handle.close();
  throw new WorkspaceError('stored_bytes_missing');
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
