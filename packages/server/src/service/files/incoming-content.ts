import type { ContentHash } from '@stoa/core';
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
