/** What a key was last told of a workspace's feed. */
export interface BookmarkRow {
  readonly keyId: string;
  readonly workspaceId: string;
  /** Where the last answer began: everything after this seq was in it. */
  readonly startSeq: number;
  readonly startAt: number;
  /** Where it ended, and when it was given. */
  readonly headSeq: number;
  readonly answeredAt: number;
}

export interface BookmarkReader {
  find(keyId: string, workspaceId: string): Promise<BookmarkRow | null>;
}

export interface BookmarkWriter {
  /** In place of the one that the key has in the workspace. */
  putBookmark(row: BookmarkRow): Promise<void>;
  /** Those of a key in every workspace. */
  forgetBookmarks(keyId: string): Promise<void>;
}
