import type { ContentHash } from '@stoa/core';
import type { CheckedContent } from './checks.ts';

/** What can be wrong with the bytes of a content. */
export type ContentFault = 'stored_bytes_missing' | 'stored_bytes_wrong';

/** A content that was put aside, with what there is of its bytes. */
export interface QuarantinedContent extends CheckedContent {
  readonly fault: ContentFault;
  readonly foundAt: number;
}

/** How far the reading of everything that is stored has come. Times are in milliseconds since the epoch. */
export interface ScrubState {
  /** Null while no round is under way. */
  readonly startedAt: number | null;
  /** The last content of the round that was read. */
  readonly after: { readonly workspaceId: string; readonly contentHash: string };
  /** Read in this round, or in the last one that ended. */
  readonly contents: number;
  readonly bytes: number;
  /** How many of them were put aside. */
  readonly wrong: number;
  /** When the last round began that ended: every content was read, or written, since. Null before the first. */
  readonly verifiedSince: number | null;
}

export interface ScrubReader {
  state(): Promise<ScrubState>;
  /** Put aside and not mended since: no version with them can be read. */
  quarantinedPage(page: {
    readonly after: { readonly workspaceId: string; readonly contentHash: string };
    readonly limit: number;
  }): Promise<readonly QuarantinedContent[]>;
  figures(): Promise<{
    /** Put aside, and not mended since. */
    readonly quarantined: number;
    /** As many as all versions have together: at least as many as are stored. */
    readonly keptBytes: number;
    /** When the oldest workspace was made, in milliseconds since the epoch. Null where there is none. */
    readonly oldestAt: number | null;
  }>;
}

export interface ScrubWriter {
  /**
   * Takes the turn, or keeps it, unless another node has it. A turn that is held for more than twice as long as this one asks
   * for was taken by a clock that was ahead: it keeps nobody out.
   */
  takeScrub(turn: {
    readonly holder: string;
    readonly now: number;
    readonly heldUntil: number;
  }): Promise<boolean>;
  /** @returns false when another node has the turn by now; then nothing is kept. */
  noteScrub(holder: string, state: ScrubState): Promise<boolean>;
  /**
   * Puts a content aside, so that it counts as not kept: the next write of the same bytes keeps them. The workspace is locked.
   * @param content.generation the object that was found wrong; null for bytes in the database.
   * @returns whether that is where the content still was.
   */
  quarantine(
    content: {
      readonly workspaceId: string;
      readonly contentHash: ContentHash;
      readonly generation: string | null;
    },
    finding: { readonly fault: ContentFault; readonly foundAt: number },
  ): Promise<boolean>;
  /** Takes a content back as it is, unless it was kept anew. */
  release(content: Pick<QuarantinedContent, 'workspaceId' | 'contentHash' | 'foundAt'>): Promise<void>;
}
