// docs/decisions/0026-content-index.md
import type { ContentHash } from '@stoa/core';

/**
 * Position of a workspace's index in the feed: it contains every content that was current at this change. `mark`
 * distinguishes the change from another one with the same seq, after a restore of an earlier database state.
 */
export interface IndexLocation {
  readonly seq: number;
  readonly mark: string;
}

export const beforeEverything: IndexLocation = { seq: 0, mark: '' };

export interface IndexedContent {
  readonly contentHash: ContentHash;
  /** Null: not text, or the bytes are missing. The entry is stored so that the content is not read again. */
  readonly bytes: Uint8Array | null;
}

export interface Candidates {
  readonly location: IndexLocation;
  /** The contents at that position that may contain the text; null: too many to list, so any content may. */
  readonly mayHold: ReadonlySet<ContentHash> | null;
}

export interface WantedText {
  /** Folded by core's `foldCase`. */
  readonly text: string;
  /** N-grams of that text, by core's `chunksOf`. */
  readonly ngrams: readonly string[];
}

/**
 * A text index by content, derived from contents alone: it can be deleted at any time. Callers read and verify each
 * candidate. Several processes may add to one index; a step that another process already applied has no effect.
 */
export interface ContentIndex extends AsyncDisposable {
  /** When false, every search reads all contents. */
  readonly isAvailable: boolean;
  place(workspaceId: string): Promise<IndexLocation>;
  candidates(workspaceId: string, wanted: WantedText): Promise<Candidates>;
  /** Contents that are stored as not text, after a number, at most 1000. Numbers are never reused. */
  notText(workspaceId: string, after: number): Promise<NotText>;
  /** Returns which of these contents are not in the index. At most 1000. */
  missing(workspaceId: string, hashes: readonly ContentHash[]): Promise<readonly ContentHash[]>;
  /**
   * Adds contents and advances the position, in one transaction.
   * @returns false when the index is no longer at `from`.
   */
  advance(step: {
    readonly workspaceId: string;
    readonly from: IndexLocation;
    readonly to: IndexLocation;
    readonly contents: readonly IndexedContent[];
  }): Promise<boolean>;
  /** Indexed contents after an id, at most 1000, and their total number. */
  page(workspaceId: string, afterId: number): Promise<IndexPage>;
  /** Removes contents that no current file has. @returns false when the index is no longer at `at`. */
  remove(workspaceId: string, at: IndexLocation, ids: readonly number[]): Promise<boolean>;
  /** Clears one workspace, or (null) everything. */
  clear(workspaceId: string | null): Promise<void>;
}

/** The index file is unreadable. No data is lost: the service rebuilds it at its next start. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';

  constructor(options: ErrorOptions) {
    super('the content index is damaged and will be rebuilt when the service starts next', options);
  }
}

export interface NotText {
  readonly hashes: readonly ContentHash[];
  /** The number to continue after. */
  readonly last: number;
}

export interface IndexPage {
  readonly count: number;
  readonly contents: readonly { readonly id: number; readonly contentHash: ContentHash }[];
}

// A byte order mark belongs to the content.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the searchable text of a content; null for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
