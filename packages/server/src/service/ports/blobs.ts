import type { ContentHash } from '@stoa/core';

/** Where a content's bytes are: in the database, or in the blob store under its generation. */
export type BlobLocation =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'stored'; readonly generation: string };

export interface BlobReader {
  /** Null when the workspace holds no such content. */
  locate(workspaceId: string, contentHash: ContentHash): Promise<BlobLocation | null>;
  /** The same of several contents, at most 100; what the workspace does not hold is left out. */
  locateMany(
    workspaceId: string,
    contentHashes: readonly ContentHash[],
  ): Promise<ReadonlyMap<ContentHash, BlobLocation>>;
  /** Of these generations in the blob store, those that a row names, of contents put aside too: the rest are orphans. At most 1000. */
  referenced(workspaceId: string, generations: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface BlobWriter {
  /**
   * Keeps the content's location unless the workspace holds the content already. Bytes in the database that are not the same
   * as these, which were just hashed, are replaced; whether an object is right, the caller has asked.
   * @returns whether this location counts.
   */
  keepBlob(row: {
    readonly workspaceId: string;
    readonly contentHash: ContentHash;
    readonly sizeBytes: number;
    readonly location: BlobLocation;
    readonly createdAt: number;
  }): Promise<'kept' | 'already_there'>;
}
