import { type ContentHash, WorkspaceError } from '@stoa/core';
import { isContent } from '../contents/is-content.ts';
import { collectBytes } from '../files/read-file.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Reader } from '../ports/reader.ts';

export interface WantedContent {
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
}

/** Contents and bytes in one batch; a single content may be larger. */
export const contentsAtOnce = { count: 64, bytes: 512 * 1024 } as const;

/**
 * Reads a few contents, each into a buffer of its own, which may be transferred to another thread. Null when a
 * content's bytes are missing or corrupt.
 * @throws WorkspaceError `overloaded` when a remote store is unreachable.
 */
export async function readContents(
  { reader, blobs }: { readonly reader: Pick<Reader, 'blobs'>; readonly blobs: Pick<BlobStore, 'open'> },
  workspaceId: string,
  wanted: readonly WantedContent[],
): Promise<readonly (Uint8Array | null)[]> {
  const hashes = [...new Set(wanted.map(({ contentHash }) => contentHash))];
  const located = await reader.blobs.locateMany(workspaceId, hashes);
  return Promise.all(
    wanted.map(async ({ contentHash, sizeBytes }) => {
      const location = located.get(contentHash);
      if (location === undefined) return null;
      if (location.kind === 'inline') {
        return isContent(location.bytes, contentHash) ? new Uint8Array(location.bytes) : null;
      }
      try {
        const key = { workspaceId, contentHash, generation: location.generation };
        const opened = await blobs.open(key, { start: 0, end: sizeBytes, sizeBytes });
        return await collectBytes(opened, sizeBytes);
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing') return null;
        throw error;
      }
    }),
  );
}
