/**
 * Position up to which one key received the changes at or below one path. Positions are feed seqs, times milliseconds.
 */
export interface Cursor {
  /** The caller confirmed, by sending a cursor, that it received everything up to here. */
  readonly confirmedSeq: number;
  /** Start of a call without `since`: everything up to here was confirmed or was in two responses. */
  readonly startSeq: number;
  readonly startAt: number;
  /** Everything up to here was in a response. */
  readonly headSeq: number;
  readonly answeredAt: number;
}

/** The cursors of one key in one workspace, by path. The path of the whole workspace is empty. */
export type Cursors = readonly (readonly [path: string, bookmark: Cursor])[];

export interface CursorReader {
  /** Empty when the key has no cursors in the workspace. */
  find(keyId: string, workspaceId: string): Promise<Cursors>;
}

export interface CursorWriter {
  /** Replaces the key's cursors in the workspace. */
  putBookmarks(keyId: string, workspaceId: string, cursors: Cursors): Promise<void>;
  /** Removes the key's cursors in every workspace. */
  forgetBookmarks(keyId: string): Promise<void>;
}
