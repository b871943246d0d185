import type { FileHandle } from 'node:fs/promises';
import { freeChunk } from '../free-chunk.ts';

/** The size of one write. An upload needs about twice as much memory: for the running write and the next one. */
const writeBytes = 1024 * 1024;

export interface GatheredWriter {
  /** Takes ownership of the chunk. Resolves when there is room for more. @throws also the error of an earlier write. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when every chunk has been written. */
  flush(): Promise<void>;
  /** Resolves when no write is running any more, even after a failure. */
  settled(): Promise<void>;
}

/** Appends to a file in large writes, one at a time while the next is gathered: each needs a trip to another thread. */
export function createGatheredWriter(handle: FileHandle): GatheredWriter {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let underWay: Promise<void> = Promise.resolve();
  const beginNext = async () => {
    await underWay;
    underWay = writeAll(handle, gathered, gatheredBytes);
    // The next call reports the error; after an aborted upload nothing needs it.
    underWay.catch(() => {});
    gathered = [];
    gatheredBytes = 0;
  };
  return {
    async write(chunk) {
      gathered.push(chunk);
      gatheredBytes += chunk.byteLength;
      if (gatheredBytes >= writeBytes) await beginNext();
    },
    async flush() {
      await beginNext();
      await underWay;
    },
    settled: () => underWay.catch(() => {}),
  };
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], sizeBytes: number): Promise<void> {
  if (sizeBytes === 0) return;
  const { bytesWritten } = await handle.writev([...chunks]);
  if (bytesWritten < sizeBytes) await writeRest(handle, chunks, bytesWritten);
  for (const chunk of chunks) freeChunk(chunk);
}

/** The system may accept fewer bytes than requested. */
async function writeRest(
  handle: FileHandle,
  chunks: readonly Uint8Array[],
  skipBytes: number,
): Promise<void> {
  const rest = Buffer.concat(chunks).subarray(skipBytes);
  let offset = 0;
  while (offset < rest.byteLength) {
    const { bytesWritten } = await handle.write(rest, offset);
    if (bytesWritten === 0) throw new Error('the disk accepted no bytes');
    offset += bytesWritten;
  }
}
