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

/** Returns the next batch to read, at least one content. */
export function nextBatch<Wanted extends WantedContent>(
  wanted: readonly Wanted[],
  from: number,
  bytesMax: number,
): readonly Wanted[] {
  let bytes = 0;
  let end = from;
  for (; end < Math.min(from + contentsAtOnce.count, wanted.length); end += 1) {
    bytes += wanted[end]?.sizeBytes ?? 0;
    if (end > from && bytes > bytesMax) break;
  }
  return wanted.slice(from, end);
}

export interface ReadContent<Wanted> {
  readonly wanted: Wanted;
  /** May be transferred to another thread. */
  readonly bytes: Uint8Array;
}

/** Reads batches of contents, each while the caller works on the previous one. */
export interface BatchReader<Wanted> {
  /**
   * Reads a batch, waits for the work on the previous one, and starts `work`, without those that are missing or corrupt.
   * @throws WorkspaceError `overloaded` when a remote store is unreachable.
   */
  read(
    batch: readonly Wanted[],
    work: (read: readonly ReadContent<Wanted>[], missing: readonly Wanted[]) => Promise<void>,
  ): Promise<void>;
  /** Waits for the work on the last batch. */
  end(): Promise<void>;
}

export function createBatchReader<Wanted extends WantedContent>(
  from: ContentSource,
  workspaceId: string,
): BatchReader<Wanted> {
  let working = Promise.resolve();
  return {
    async read(batch, work) {
      const contents = await readContents(from, workspaceId, batch);
      await working;
      const read = batch.flatMap((wanted, at) => {
        const bytes = contents[at] ?? null;
        return bytes === null ? [] : [{ wanted, bytes }];
      });
      working = work(
        read,
        batch.filter((_, at) => contents[at] === null),
      );
      // Awaited by the next call; prevents an unhandled rejection until then.
      working.catch(() => {});
    },
    end: () => working,
  };
}

interface ContentSource {
  readonly reader: Pick<Reader, 'blobs'>;
  readonly blobs: Pick<BlobStore, 'open'>;
}

/**
 * Reads a few contents, each into a buffer of its own, which may be transferred to another thread. Null when a
 * content's bytes are missing or corrupt.
 * @throws WorkspaceError `overloaded` when a remote store is unreachable.
 */
export async function readContents(
  { reader, blobs }: ContentSource,
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
