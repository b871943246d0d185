import { WorkspaceError } from '@stoa/core';
import type { CheckedContent } from '../ports/checks.ts';
import type { ContentFault } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { isContent } from './is-content.ts';

/**
 * Reads a content, or looks at whether it is there. A store that is away throws.
 * @param onPiece waited for after each piece that is read
 */
export async function faultOf(
  blobs: ServiceDeps['blobs'],
  { generation, bytes, ...content }: CheckedContent,
  readBytes: boolean,
  onPiece: (bytes: number) => Promise<void> = async () => {},
): Promise<ContentFault | null> {
  const { contentHash, sizeBytes } = content;
  if (generation === null) {
    // Without its bytes, a row rule has judged their number.
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
  try {
    // The store verifies what is read whole.
    for await (const chunk of stream) await onPiece(chunk.byteLength);
    return null;
  } catch (error) {
    // A store that is away, or refuses us, says nothing of the bytes.
    if (error instanceof WorkspaceError && error.code !== 'stored_bytes_missing') throw error;
    return 'stored_bytes_wrong';
  }
}
