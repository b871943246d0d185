// Size, times and file id stand for a hash. A file that changed within the clock's resolution is hashed again.
import { createHash, hash as hashAtOnce } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ContentHash, wholeBodyBytesMax } from '@stoa/core';
import { ContentChangedError, type OutgoingContent } from '../engine/ports/content.ts';
import type {
  Changed,
  DiskPath,
  DiskRejection,
  HashedFile,
  PresumedFile,
} from '../engine/ports/local-folder.ts';
import { errorCodeOf, errorOf } from './disk-errors.ts';
import type { Root } from './root.ts';
import { stampOf } from './stamp.ts';

// Without O_NONBLOCK, opening a pipe would block until another process writes to it.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const chunkBytes = 256 * 1024;
const changed: Changed = { kind: 'changed' };

export function hashBytes(bytes: Uint8Array): ContentHash {
  return hashAtOnce('sha256', bytes, 'hex') as ContentHash;
}

/**
 * See the port. The stamp identifies the file, however its path is reached. The folders above are only checked if the
 * file is not there.
 */
export async function hashFile(
  root: Root,
  path: DiskPath,
  stamp: string,
): Promise<HashedFile | Changed | DiskRejection> {
  const opened = await openFile(root.absolute(path), stamp);
  if (opened.kind !== 'opened') return whyNoWay(root, path) ?? opened;
  const { sizeBytes } = opened;
  if (opened.bytes !== null) return { kind: 'hashed', hash: hashBytes(opened.bytes), sizeBytes };
  const { handle } = opened;
  try {
    const sha = createHash('sha256');
    const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(sizeBytes, 1)));
    for (let at = 0; at < sizeBytes; ) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return changed;
      sha.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    if (stampOf(await handle.stat({ bigint: true })) !== stamp) return changed;
    return { kind: 'hashed', hash: sha.digest('hex') as ContentHash, sizeBytes };
  } catch (error) {
    return errorOf(error);
  } finally {
    await handle.close();
  }
}

/** Reads the whole expected file. Larger files than `wholeBodyBytesMax` throw a RangeError. */
export async function readPlanned(
  root: Root,
  path: DiskPath,
  { stamp, hash }: PresumedFile,
  maxBytes: number,
): Promise<{ readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> } | Changed | DiskRejection> {
  const opened = await openPlanned(root, path, stamp);
  if (opened.kind !== 'opened') return opened;
  const { sizeBytes } = opened;
  if (sizeBytes > maxBytes) {
    await opened.handle?.close();
    throw new RangeError(`${path} is longer than ${maxBytes} bytes`);
  }
  if (opened.handle !== null) {
    try {
      const stream = plannedStream(opened.handle, { stamp, hash, sizeBytes });
      return { kind: 'bytes', bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
    } catch (error) {
      if (error instanceof ContentChangedError) return changed;
      throw error;
    }
  }
  return hashBytes(opened.bytes) === hash ? { kind: 'bytes', bytes: opened.bytes } : changed;
}

/** See the port. */
export async function openContent(
  root: Root,
  path: DiskPath,
  { stamp, hash }: PresumedFile,
): Promise<{ readonly kind: 'content'; readonly content: OutgoingContent } | Changed | DiskRejection> {
  const opened = await openPlanned(root, path, stamp);
  if (opened.kind !== 'opened') return opened;
  const { sizeBytes } = opened;
  if (opened.bytes === null) {
    const stream = plannedStream(opened.handle, { stamp, hash, sizeBytes });
    return { kind: 'content', content: { kind: 'stream', stream, hash, sizeBytes } };
  }
  if (hashBytes(opened.bytes) !== hash) return changed;
  return { kind: 'content', content: { kind: 'bytes', bytes: opened.bytes, hash, sizeBytes } };
}

/**
 * Streams the file in chunks. Holds back the last chunk until the hash and the stamp are confirmed. A server thus never
 * receives the full length of a file that was written during the upload.
 */
function plannedStream(
  handle: FileHandle,
  { stamp, hash, sizeBytes }: PresumedFile & { readonly sizeBytes: number },
): ReadableStream<Uint8Array> {
  const sha = createHash('sha256');
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          // In its own memory, which the sender releases.
          const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, sizeBytes - at));
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
          if (bytesRead === 0) throw new ContentChangedError('the file was cut short');
          const chunk = buffer.subarray(0, bytesRead);
          sha.update(chunk);
          at += bytesRead;
          if (at < sizeBytes) return controller.enqueue(chunk);
          const now = stampOf(await handle.stat({ bigint: true }));
          if (now !== stamp || sha.digest('hex') !== hash)
            throw new ContentChangedError('the file was written');
          await handle.close();
          controller.enqueue(chunk);
          controller.close();
        } catch (error) {
          await handle.close().catch(() => {});
          controller.error(
            error instanceof ContentChangedError
              ? error
              : new ContentChangedError('the file cannot be read', { cause: error }),
          );
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}

type Opened =
  | {
      readonly kind: 'opened';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly handle: null;
      readonly sizeBytes: number;
    }
  | {
      readonly kind: 'opened';
      readonly bytes: null;
      /** The caller closes it. */
      readonly handle: FileHandle;
      readonly sizeBytes: number;
    };

async function openPlanned(
  root: Root,
  path: DiskPath,
  stamp: string,
): Promise<Opened | Changed | DiskRejection> {
  return whyNoWay(root, path) ?? openFile(root.absolute(path), stamp);
}

function whyNoWay(root: Root, path: DiskPath): Changed | DiskRejection | null {
  const way = root.findWay(path);
  if (way.kind !== 'clear') return way;
  return way.missing === null ? null : changed;
}

/** Reads small files synchronously, because a tick of the event loop would take longer than the read. */
async function openFile(file: string, stamp: string): Promise<Opened | Changed | DiskRejection> {
  try {
    const descriptor = openSync(file, readFlags);
    let found: BigIntStats;
    try {
      found = fstatSync(descriptor, { bigint: true });
      if (!found.isFile() || stampOf(found) !== stamp) return changed;
      if (found.size <= wholeBodyBytesMax) {
        const bytes = readWhole(descriptor, Number(found.size));
        const isSame = stampOf(fstatSync(descriptor, { bigint: true })) === stamp;
        return bytes === null || !isSame
          ? changed
          : { kind: 'opened', bytes, handle: null, sizeBytes: bytes.length };
      }
    } finally {
      closeSync(descriptor);
    }
    const handle = await open(file, readFlags);
    if (stampOf(await handle.stat({ bigint: true })) === stamp) {
      return { kind: 'opened', bytes: null, handle, sizeBytes: Number(found.size) };
    }
    await handle.close();
    return changed;
  } catch (error) {
    const code = errorCodeOf(error);
    // ELOOP: it is a symlink now.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') return changed;
    return errorOf(error);
  }
}

function readWhole(descriptor: number, sizeBytes: number): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    const read = readSync(descriptor, bytes, at, sizeBytes - at, at);
    if (read === 0) return null;
    at += read;
  }
  return bytes;
}
