import { createHash } from 'node:crypto';
import { type ContentHash, inlineBytesMax, WorkspaceError } from '@stoa/core';
import type { BlobKey, BlobStore, BlobUpload } from '../ports/blob-store.ts';
import type { BlobLocation } from '../ports/blobs.ts';
import type { Transaction } from '../ports/transaction.ts';

/** Bytes that arrived and are ready to be named by a row: in memory, or already durable in the blob store. */
export interface IncomingContent {
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly location: BlobLocation;
}

/** @returns whether a row names the stored object now; if not, the object is an orphan and its uploader removes it. */
export async function keepContent(
  tx: Transaction,
  workspaceId: string,
  content: IncomingContent,
  now: number,
): Promise<boolean> {
  const kept = await tx.write.keepBlob({ workspaceId, createdAt: now, ...content });
  return kept === 'kept';
}

/** Received bytes, and how to give them up again when no row came to name them. */
export interface ReceivedContent {
  readonly content: IncomingContent;
  discard(): Promise<void>;
}

/**
 * Counts, hashes and keeps a body in one pass: up to `inlineBytesMax` in memory, beyond that streamed to the blob store
 * with back-pressure, so that memory stays constant whatever the size. When it resolves, large bytes are durable.
 *
 * @param body gives its chunks away: their memory may be freed as soon as the next is asked for.
 * @throws WorkspaceError `file_too_large` as soon as the limit is passed; nothing is kept. Errors of `body` pass
 * through, and nothing is kept then either.
 */
export async function receiveContent(
  blobs: BlobStore,
  workspaceId: string,
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<ReceivedContent> {
  const hash = createHash('sha256');
  const held: Uint8Array[] = [];
  let sizeBytes = 0;
  let upload: BlobUpload | null = null;
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw new WorkspaceError('file_too_large', { limitBytes });
      hash.update(chunk);
      if (upload === null && sizeBytes <= inlineBytesMax) {
        held.push(chunk);
        continue;
      }
      if (upload === null) {
        upload = await blobs.beginUpload(workspaceId);
        for (const early of held.splice(0)) await upload.write(early);
      }
      await upload.write(chunk);
    }
    const contentHash = hash.digest('hex') as ContentHash;
    if (upload === null) {
      const only = held[0];
      const bytes = held.length === 1 && only !== undefined ? only : concatenate(held, sizeBytes);
      return {
        content: { contentHash, sizeBytes, location: { kind: 'inline', bytes } },
        discard: async () => {},
      };
    }
    const generation = await upload.finish({ contentHash, sizeBytes });
    const key: BlobKey = { workspaceId, contentHash, generation };
    return {
      content: { contentHash, sizeBytes, location: { kind: 'stored', generation } },
      // An object that cannot be removed now is an orphan, which the sweeper finds: the outcome stands as it is.
      discard: () => blobs.remove(key).catch(() => {}),
    };
  } finally {
    await upload?.[Symbol.asyncDispose]();
  }
}

function concatenate(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
