import { type FileHandle, open } from 'node:fs/promises';
import { WorkspaceError } from '@stoa/core';

/** The size of one read for a reader without a buffer of its own. */
const chunkBytes = 256 * 1024;

/**
 * Streams bytes `start` to `end` of a file of a known size, a chunk at a time and only when asked for one. A reader may
 * bring its own buffers.
 * @throws WorkspaceError `stored_bytes_missing` when the file is not there or has another size. A file cut short
 * afterwards fails the stream: it never ends early.
 */
export async function readBlobFile(
  file: string,
  range: { readonly start: number; readonly end: number; readonly sizeBytes: number },
): Promise<ReadableStream<Uint8Array>> {
  const handle = await openWhole(file, range.sizeBytes);
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
