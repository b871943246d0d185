// docs/decisions/0026-content-index.md
import { type ContentHash, utf8Text } from '@stoa/core';

/** A part of a workspace's index that a caller asks as a whole: the texts that all members see, or those of one member. */
export type IndexPart = string;
export const sharedPart: IndexPart = '';

export function partOf(ownerId: string | null): IndexPart {
  return ownerId ?? sharedPart;
}

/** A content in a part. A text that is shared at one path and private at another has two entries. */
export interface IndexEntry {
  /** Above all earlier ids of the workspace. */
  readonly id: number;
  readonly part: IndexPart;
  readonly contentHash: ContentHash;
  /** False for bytes that are not UTF-8. */
  readonly isText: boolean;
}

export interface IndexEntries {
  /** Changes when entries are removed. */
  readonly generation: string;
  readonly entries: readonly IndexEntry[];
}

/** A token to ask for, or a part of one. */
export interface AskedToken {
  readonly text: string;
  /** Whether a token begins, or ends, there. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** Asking parts is fast for tokens with a known start. Asking entries reads the words of each of them. */
export type IndexScope = { readonly parts: readonly IndexPart[] } | { readonly ids: readonly number[] };

export interface Holders {
  readonly generation: string;
  /** The last entry that was asked; 0 for none. */
  readonly last: number;
  /** For each token the entries that have it; null if the scope cannot be asked for it. */
  readonly ids: readonly (Float64Array | null)[];
}

export interface IndexedContent {
  readonly part: IndexPart;
  readonly contentHash: ContentHash;
  readonly bytes: Uint8Array;
}

/**
 * An index of the words of texts, kept apart by who may see them: a search reads no entry of a text that its caller may
 * not see. It is derived from contents alone and can be deleted at any time. Several processes may add to one index.
 */
export interface WordIndex extends AsyncDisposable {
  /** Entries after an id, by id, at most 5000. */
  entries(workspaceId: string, after: number): Promise<IndexEntries>;
  holders(workspaceId: string, scope: IndexScope, tokens: readonly AskedToken[]): Promise<Holders>;
  /** Skips contents that their part already has. */
  add(workspaceId: string, contents: readonly IndexedContent[]): Promise<void>;
  remove(workspaceId: string, ids: readonly number[]): Promise<void>;
  /** Clears one workspace, or (null) everything. */
  clear(workspaceId: string | null): Promise<void>;
  /** The size of the index on the disk. */
  sizeBytes(): Promise<number>;
}

export const entriesPageMax = 5000;

/** The index file is unreadable. No data is lost: the service rebuilds it at its next start. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';

  constructor(options: ErrorOptions) {
    super('the content index is damaged and will be rebuilt when the service starts next', options);
  }
}

// A byte order mark belongs to the content.
/** Returns the searchable text of a content; null for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  return utf8Text(bytes);
}
