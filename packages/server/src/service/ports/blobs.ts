import type { ContentHash } from '@stoa/core';

/** Location of a content's bytes: in the database, or in the blob store under its generation. */
export type BlobLocation =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'stored'; readonly generation: string };

export interface BlobReader {
  /** Null when the workspace has no such content. */
  locate(workspaceId: string, contentHash: ContentHash): Promise<BlobLocation | null>;
  /** Locates several contents, at most 100; omits those that the workspace does not have. */
  locateMany(
    workspaceId: string,
    contentHashes: readonly ContentHash[],
  ): Promise<ReadonlyMap<ContentHash, BlobLocation>>;
  /**
   * Returns which of these blob store generations a row names, including rows in quarantine; the rest are orphans. At
   * most 1000.
   */
  referenced(workspaceId: string, generations: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface BlobWriter {
  /**
   * Stores the content's location unless the workspace already has the content. Replaces bytes in the database that
   * differ from these, which were just hashed. The caller has already checked an existing object.
   * @returns whether this location is used.
   */
  keepBlob(row: {
    readonly workspaceId: string;
    readonly contentHash: ContentHash;
    readonly sizeBytes: number;
    readonly location: BlobLocation;
    readonly createdAt: number;
  }): Promise<'kept' | 'already_there'>;
}
