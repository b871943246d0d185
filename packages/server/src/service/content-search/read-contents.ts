import type { ContentHash } from '@stoa/core';
import { openAt } from '../contents/open-content.ts';
import { collectBytes, ifKept } from '../contents/read-whole.ts';
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
    wanted.map(({ contentHash, sizeBytes }) => {
      const content = { workspaceId, contentHash, sizeBytes };
      const location = located.get(contentHash) ?? null;
      return ifKept(async () => {
        const opened = await openAt({ blobs }, content, { start: 0, end: sizeBytes }, location);
        return collectBytes(opened, sizeBytes);
      });
    }),
  );
}
