import { type Alignment, createAlignment } from './alignment.ts';
import type { SearchQuery } from './search-query.ts';

/** A folder on the way down to the path that is being searched. */
export interface FolderLevel {
  /** Where its last segment, slash included, is in the chunk's symbols, and its first symbol's number in the path. */
  start: number;
  end: number;
  at: number;
  /** Length of its path as text. */
  pathLength: number;
  /** Characters of the query that its path matches, first come first served: without and with its slash. */
  reachedName: number;
  reached: number;
  /** The owner of the privacy record that decides over it. */
  ownerId: string | null;
  /** Whether it and all above it were found, or need not be. */
  isShown: boolean;
  isAligned: boolean;
  /** Of its path, slash included, once `isAligned`. */
  readonly alignment: Alignment;
}

export function createFolderLevel(query: SearchQuery): FolderLevel {
  return {
    start: 0,
    end: 0,
    at: 0,
    pathLength: 0,
    reachedName: 0,
    reached: 0,
    ownerId: null,
    isShown: false,
    isAligned: false,
    alignment: createAlignment(query),
  };
}
