import { WorkspaceError } from '@stoa/core';
import { collectBytes, openContent } from '../files/read-file.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Reads all bytes of a content into a buffer of their own, which may be transferred to another thread.
 * @throws WorkspaceError `stored_bytes_missing`
 */
export async function readWhole(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>,
): Promise<Uint8Array> {
  const { sizeBytes } = content;
  const opened = await openContent(deps, content, { start: 0, end: sizeBytes });
  return collectBytes(opened, sizeBytes);
}

/** As `readWhole`, but null when the bytes are missing. */
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
