import { WorkspaceError } from '@stoa/core';
import type { CheckedContent } from '../ports/checks.ts';
import type { ContentFault } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { isContent } from './is-content.ts';

/**
 * Reads a content, or checks its presence. Throws when the store is unreachable.
 * @param onChunk awaited after each chunk; its errors pass through
 */
export async function faultOf(
  blobs: ServiceDeps['blobs'],
  { generation, bytes, ...content }: CheckedContent,
  readBytes: boolean,
  onChunk: (bytes: number) => Promise<void> = async () => {},
): Promise<ContentFault | null> {
  const { contentHash, sizeBytes } = content;
  if (generation === null) {
    // When its bytes were not read, a row rule has checked their number.
    return bytes === null || isContent(bytes, contentHash) ? null : 'stored_bytes_wrong';
  }
  const end = readBytes ? sizeBytes : Math.min(1, sizeBytes);
  let stream: ReadableStream<Uint8Array>;
  try {
    stream = await blobs.open({ ...content, generation }, { start: 0, end, sizeBytes });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing')
      return 'stored_bytes_missing';
    throw error;
  }
  if (!readBytes) {
    await stream.cancel();
    return null;
  }
  const reader = stream.getReader();
  try {
    for (;;) {
      const chunk = await readOn(reader);
      if (chunk === 'wrong') return 'stored_bytes_wrong';
      if (chunk === null) return null;
      await onChunk(chunk.byteLength);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The next chunk; null at the end. The store verifies contents that are read whole. */
async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | 'wrong' | null> {
  try {
    return (await reader.read()).value ?? null;
  } catch (error) {
    // An unreachable store, or one that denies access, proves nothing about the bytes.
    if (error instanceof WorkspaceError && error.code !== 'stored_bytes_missing') throw error;
    return 'wrong';
  }
}
