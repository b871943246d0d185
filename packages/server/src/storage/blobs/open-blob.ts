import { type FileHandle, open } from 'node:fs/promises';
import { WorkspaceError } from '@stoa/core';

const chunkBytes = 256 * 1024;

/**
 * Streams bytes `start` to `end` of a file of a known size, a chunk at a time and only when asked for one.
 * @throws WorkspaceError `stored_bytes_missing` when the file is not there or has another size. A file cut short
 * afterwards fails the stream: it never ends early.
 */
export async function openBlob(
  file: string,
  range: { readonly start: number; readonly end: number; readonly sizeBytes: number },
): Promise<ReadableStream<Uint8Array>> {
  const handle = await openWhole(file, range.sizeBytes);
  let position = range.start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const wanted = Math.min(chunkBytes, range.end - position);
          if (wanted > 0) {
            const chunk = new Uint8Array(wanted);
            const { bytesRead } = await handle.read(chunk, 0, wanted, position);
            if (bytesRead === 0) throw new WorkspaceError('stored_bytes_missing');
            position += bytesRead;
            controller.enqueue(bytesRead === wanted ? chunk : chunk.subarray(0, bytesRead));
          }
          if (position < range.end) return;
          await handle.close();
          controller.close();
        } catch (error) {
          await handle.close();
          controller.error(error);
        }
      },
      cancel: () => handle.close(),
    },
    // A view of bytes that nobody asked for would be memory per open download.
    { highWaterMark: 0 },
  );
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
