import { createHash } from 'node:crypto';
import { type ContentHash, WorkspaceError } from '@stoa/core';

/**
 * Passes on all bytes of a content, the last piece only when the hash of all is right: a receiver never holds as many
 * bytes as were announced unless they are the right ones.
 * @throws WorkspaceError `stored_bytes_missing` in place of the last piece.
 */
export async function* verifiedBytes(
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
