import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type ContentHash, WorkspaceError } from '@stoa/core';

/** The size of one read for a reader without a buffer of its own. */
const chunkBytes = 256 * 1024;

/**
 * Streams bytes `start` to `end` of a file of a known size, a chunk at a time and only when asked for one. A reader may
 * bring its own buffers. A whole file is hashed as it passes, and its last chunk is given only when the hash is right: a
 * receiver never holds as many bytes as were announced unless they are the right ones.
 * @throws WorkspaceError `stored_bytes_missing` when the file is not there or has another size. A file cut short
 * afterwards, or with other bytes, fails the stream: it never ends early.
 */
export async function readBlobFile(
  file: string,
  range: { readonly start: number; readonly end: number; readonly sizeBytes: number },
  contentHash: ContentHash,
): Promise<ReadableStream<Uint8Array>> {
  const handle = await openWhole(file, range.sizeBytes);
  const isWhole = range.start === 0 && range.end === range.sizeBytes;
  // The hash of a part is not known: nothing is kept to verify one with.
  const hash = isWhole ? createHash('sha256') : null;
  let position = range.start;
  const endWhenRead = async (controller: ReadableByteStreamController) => {
    if (position < range.end) return;
    await handle.close();
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
