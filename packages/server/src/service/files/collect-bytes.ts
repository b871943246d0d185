import { WorkspaceError } from '@stoa/core';

/**
 * Opened content as one piece, in memory of its own: it may be handed to another thread.
 * @param sizeBytes how much it has to be.
 * @throws WorkspaceError `stored_bytes_missing` when there is less or more.
 */
export async function collectBytes(
  opened: Uint8Array | ReadableStream<Uint8Array>,
  sizeBytes: number,
): Promise<Uint8Array> {
  if (opened instanceof Uint8Array) {
    if (opened.byteLength !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
    return Uint8Array.from(opened);
  }
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of opened) {
    if (at + chunk.byteLength > sizeBytes) throw new WorkspaceError('stored_bytes_missing');
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
  return whole;
}
