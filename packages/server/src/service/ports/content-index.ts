// docs/decisions/0059-contents-in-an-index-beside.md
import type { ContentHash } from '@stoa/core';

/**
 * How far a workspace's index has followed the feed: every content that was current at this change is in it. `mark` tells the
 * change from another one with that seq, after the database was put back to an earlier state.
 */
export interface IndexPlace {
  readonly seq: number;
  readonly mark: string;
}

export const beforeEverything: IndexPlace = { seq: 0, mark: '' };

export interface IndexedContent {
  readonly contentHash: ContentHash;
  /** Null: not text, or its bytes are gone. It is remembered, so that nobody reads it again. */
  readonly bytes: Uint8Array | null;
}

export interface Candidates {
  readonly place: IndexPlace;
  /** Of the contents at that place, those that may hold the text; null: too many to name, so any may. */
  readonly mayHold: ReadonlySet<ContentHash> | null;
}

export interface WantedText {
  /** By core's `foldCase`. */
  readonly text: string;
  /** Of that text, by core's `piecesOf`. */
  readonly pieces: readonly string[];
}

/**
 * Where texts are, by content and derived from contents alone: it can be thrown away at any time. Whatever it names is read
 * and verified. Several processes may feed one index; a step that another one took already changes nothing.
 */
export interface ContentIndex extends AsyncDisposable {
  /** Where it is not, every search reads contents. */
  readonly isAvailable: boolean;
  place(workspaceId: string): Promise<IndexPlace>;
  candidates(workspaceId: string, wanted: WantedText): Promise<Candidates>;
  /** Contents that are remembered as not text, after a number, at most 1000. Numbers are never used again. */
  notText(workspaceId: string, after: number): Promise<NotText>;
  /** Of these contents, those that are not in the index. At most 1000. */
  missing(workspaceId: string, hashes: readonly ContentHash[]): Promise<readonly ContentHash[]>;
  /** Adds contents and moves on, in one transaction. @returns false when the index is not at `from` any more. */
  advance(step: {
    readonly workspaceId: string;
    readonly from: IndexPlace;
    readonly to: IndexPlace;
    readonly contents: readonly IndexedContent[];
  }): Promise<boolean>;
  /** Indexed contents after an id, at most 1000, and how many there are in all. */
  page(workspaceId: string, afterId: number): Promise<IndexPage>;
  /** Removes contents that nothing current has. @returns false when the index is not at `at` any more. */
  remove(workspaceId: string, at: IndexPlace, ids: readonly number[]): Promise<boolean>;
  /** Forgets a workspace, or everything. */
  clear(workspaceId: string | null): Promise<void>;
}

/** What is kept cannot be read. Nothing is lost by it: it is begun anew when the service starts next. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';

  constructor(options: ErrorOptions) {
    super('the index of contents is damaged: it is begun anew when the service starts next', options);
  }
}

export interface NotText {
  readonly hashes: readonly ContentHash[];
  /** The number to ask after next time. */
  readonly last: number;
}

export interface IndexPage {
  readonly count: number;
  readonly contents: readonly { readonly id: number; readonly contentHash: ContentHash }[];
}

// A byte order mark is content.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What of a content is searched; null for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
