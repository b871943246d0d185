import { type ByteRange, WorkspaceError } from '@stoa/core';
import type { BlobStore } from '../ports/blob-store.ts';
import type { BlobLocation } from '../ports/blobs.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { isContent } from './is-content.ts';

/** A content that a row names. */
export type KeptContent = Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>;

/** @throws WorkspaceError `stored_bytes_missing`. A stream that cannot continue fails; it never ends early. */
export async function openContent(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: KeptContent,
  range: ByteRange,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const { workspaceId, contentHash } = content;
  return openAt(deps, content, range, await deps.store.reader.blobs.locate(workspaceId, contentHash));
}

/**
 * As `openContent`, at a location that was read with the row.
 * @param location null: the bytes are missing.
 */
export function openAt(
  { blobs }: { readonly blobs: Pick<BlobStore, 'open'> },
  { workspaceId, contentHash, sizeBytes }: KeptContent,
  { start, end }: ByteRange,
  location: BlobLocation | null,
): Uint8Array | Promise<ReadableStream<Uint8Array>> {
  if (location === null) throw new WorkspaceError('stored_bytes_missing');
  switch (location.kind) {
    case 'inline':
      if (location.bytes.byteLength !== sizeBytes || !isContent(location.bytes, contentHash))
        throw new WorkspaceError('stored_bytes_missing');
      return start === 0 && end === sizeBytes ? location.bytes : location.bytes.subarray(start, end);
    case 'stored':
      return blobs.open(
        { workspaceId, contentHash, generation: location.generation },
        { start, end, sizeBytes },
      );
  }
}
