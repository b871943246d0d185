import { WorkspaceError } from '@stoa/core';
import { openContent } from '../files/open-content.ts';
import type { FileRow } from '../ports/rows.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * All bytes of a content, in memory of their own: they may be handed to another thread.
 * @throws WorkspaceError `stored_bytes_missing`
 */
export async function readWhole(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>,
): Promise<Uint8Array> {
  const { sizeBytes } = content;
  const opened = await openContent(deps, content, { start: 0, end: sizeBytes });
  if (opened instanceof Uint8Array) return Uint8Array.from(opened);
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

/** The same, or null when the bytes are gone. */
export async function readWholeIfKept(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>,
): Promise<Uint8Array | null> {
  try {
    return await readWhole(deps, content);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing') return null;
    throw error;
  }
}
