import { type Alignment, createAlignment } from './alignment.ts';
import type { SearchQuery } from './search-query.ts';

/** A folder above the path under examination. */
export interface FolderLevel {
  /**
   * The position of its last segment, including the slash, in the chunk's symbols, and the number of its first symbol
   * in the path.
   */
  start: number;
  end: number;
  at: number;
  /** Length of its path as text. */
  pathLength: number;
  /** Characters of the query that its path matches, taken greedily: without and with its slash. */
  reachedName: number;
  reached: number;
  /** The owner of the privacy record that applies to it. */
  ownerId: string | null;
  /** Whether it and all folders above it are already in the results, or need not be. */
  isShown: boolean;
  isAligned: boolean;
  /** The alignment of its path, including the slash, once `isAligned`. */
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
