import type { ContentHash } from '@stoa/core';

/** Names one stored object. The generation is unique per upload, so no object is ever written twice. */
export interface BlobKey {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly generation: string;
}

/** Bytes too large for the database. An object is immutable: it is there whole and durable, or it is not there. */
export interface BlobStore {
  /** Begins an upload of unknown length and hash. Disposing an upload that was not finished removes its bytes. */
  beginUpload(workspaceId: string): Promise<BlobUpload>;
  /**
   * Opens an object for reading from byte `start` up to and without `end`, as a stream of bytes (`type: 'bytes'`): who
   * reads much brings buffers to reuse.
   * @throws WorkspaceError `stored_bytes_missing` when it is not there or not of `sizeBytes`, `overloaded` when a store
   * elsewhere cannot be reached, `storage_refused` when it does not let the server in; after that, the stream fails rather
   * than end early. A whole object is verified by its hash: with wrong bytes the stream fails before its last piece.
   */
  open(
    key: BlobKey,
    range: { readonly start: number; readonly end: number; readonly sizeBytes: number },
  ): Promise<ReadableStream<Uint8Array>>;
  /** Removing a missing object is not an error. */
  remove(key: BlobKey): Promise<void>;
  /** The id that was kept in this place, by which nodes notice that they use different ones. Null for none. */
  readPlaceId(): Promise<string | null>;
  /** Durable, in place of an earlier one. */
  keepPlaceId(id: string): Promise<void>;
  /**
   * Objects older than `olderThan` (milliseconds since the epoch), in pages of at most 1000: all of them, or those of one
   * workspace.
   */
  list(olderThan: number, workspaceId?: string): AsyncIterable<readonly BlobKey[]>;
  /** Removes leftovers of uploads older than `olderThan`, finished or not. @returns how many. */
  removeAbandonedUploads(olderThan: number): Promise<number>;
}

export interface BlobUpload extends AsyncDisposable {
  /**
   * Takes the chunk over: its memory may be freed at any time from now on. Resolves when there is room for more: the
   * caller waits, so that memory stays constant. A failure may be told by a later call.
   * @throws WorkspaceError `storage_full`, or as `open` when a store elsewhere cannot be used
   */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Makes the bytes durable under their content's name. @returns the generation that the row must name.
   * @throws WorkspaceError as `write`
   */
  finish(content: { readonly contentHash: ContentHash; readonly sizeBytes: number }): Promise<string>;
}
