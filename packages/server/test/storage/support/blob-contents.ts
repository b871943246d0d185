import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ContentHash } from '@stoa/core';
import type { BlobKey, BlobStore } from '../../../src/service/ports/blob-store.ts';

/** The pattern repeats after this many bytes. */
const patternBytes = 65_536;
const pattern = new Uint8Array(patternBytes).map((_, i) => (i * 7 + (i >> 8)) % 256);

/** Bytes that encode their position, so that a wrong range is detected. */
export function patterned(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; at += patternBytes) bytes.set(pattern.subarray(0, sizeBytes - at), at);
  return bytes;
}

/** A store may check what it gives out against the name it was given. */
export function contentHashOf(bytes: Uint8Array): ContentHash {
  return createHash('sha256').update(bytes).digest('hex') as ContentHash;
}

export async function keepBytes(
  blobs: BlobStore,
  workspaceId: string,
  bytes: Uint8Array,
  chunkBytes = 60_000,
): Promise<BlobKey> {
  const contentHash = contentHashOf(bytes);
  await using upload = await blobs.beginUpload(workspaceId);
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    await upload.write(bytes.slice(at, at + chunkBytes));
  }
  const generation = await upload.finish({ contentHash, sizeBytes: bytes.byteLength });
  return { workspaceId, contentHash, generation };
}

export async function readBytes(
  blobs: BlobStore,
  key: BlobKey,
  start: number,
  end: number,
  sizeBytes: number,
): Promise<Uint8Array> {
  const chunks = await Array.fromAsync(await blobs.open(key, { start, end, sizeBytes }));
  return new Uint8Array(Buffer.concat(chunks));
}

/** Flips one bit of a file, as a failing disk does. */
export async function flipByte(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, at);
  await handle.write(new Uint8Array([(buffer[0] ?? 0) ^ 1]), 0, 1, at);
  await handle.close();
}
