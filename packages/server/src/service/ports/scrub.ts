import type { ContentHash } from '@stoa/core';
import type { CheckedContent } from './checks.ts';

export type ContentFault = 'stored_bytes_missing' | 'stored_bytes_wrong';

/** A content in quarantine, with any bytes that remain. */
export interface QuarantinedContent extends CheckedContent {
  readonly fault: ContentFault;
  readonly foundAt: number;
}

/** Progress of the scrub, which reads all stored contents. Times are in milliseconds since the epoch. */
export interface ScrubState {
  /** Null between rounds. */
  readonly startedAt: number | null;
  /** The last content that this round read. */
  readonly after: { readonly workspaceId: string; readonly contentHash: string };
  /** Read in this round, or in the last one that ended. */
  readonly contents: number;
  readonly bytes: number;
  /** Number of quarantined contents among them. */
  readonly wrong: number;
  /** Start of the last round that ended: since then, every content was read or written. Null before the first. */
  readonly verifiedSince: number | null;
}

export interface ScrubReader {
  state(): Promise<ScrubState>;
  /** Contents in quarantine that were not repaired: versions with them cannot be read. */
  quarantinedPage(page: {
    readonly after: { readonly workspaceId: string; readonly contentHash: string };
    readonly limit: number;
  }): Promise<readonly QuarantinedContent[]>;
  figures(): Promise<{
    readonly quarantined: number;
    /** The sum over all versions: at least the number of stored bytes. */
    readonly keptBytes: number;
    /** Creation time of the oldest workspace, in milliseconds since the epoch. Null without workspaces. */
    readonly oldestAt: number | null;
  }>;
}

export interface ScrubWriter {
  /**
   * Takes or renews the lease unless another node has it. Ignores a lease that lasts more than twice as long as this
   * one: a clock that ran ahead took it.
   */
  takeScrub(round: {
    readonly holder: string;
    readonly now: number;
    readonly heldUntil: number;
  }): Promise<boolean>;
  /** @returns false when another node has taken the lease; then nothing is stored. */
  noteScrub(holder: string, state: ScrubState): Promise<boolean>;
  /**
   * Quarantines a content, so that it counts as missing and the next write of the same bytes stores them. Locks the
   * workspace.
   * @param content.generation the faulty object; null for bytes in the database.
   * @returns whether the content still had that location.
   */
  quarantine(
    content: {
      readonly workspaceId: string;
      readonly contentHash: ContentHash;
      readonly generation: string | null;
    },
    finding: { readonly fault: ContentFault; readonly foundAt: number },
  ): Promise<boolean>;
  /** Releases a content from quarantine unchanged, unless it was stored again. */
  release(content: Pick<QuarantinedContent, 'workspaceId' | 'contentHash' | 'foundAt'>): Promise<void>;
}
