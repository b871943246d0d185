import type { ContentHash } from '@stoa/core';

/** Name of a stored object. The generation is unique per upload, so no object is ever written twice. */
export interface BlobKey {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly generation: string;
}

/** Bytes too large for the database. An object is immutable, and appears only when it is complete and durable. */
export interface BlobStore {
  /** Starts an upload of unknown length and hash. Disposing an unfinished upload removes its bytes. */
  beginUpload(workspaceId: string): Promise<BlobUpload>;
  /**
   * Opens an object for reading from byte `start` up to and without `end`, as a stream of bytes (`type: 'bytes'`), so
   * that readers can bring buffers to reuse.
   * @throws WorkspaceError `stored_bytes_missing` when it does not exist or its size is not `sizeBytes`, `overloaded`
   * when a remote store is unreachable, `storage_refused` when it denies access. Afterwards the stream fails rather
   * than end early. A whole object is verified by its hash: with wrong bytes the stream fails before its last chunk.
   */
  open(
    key: BlobKey,
    range: { readonly start: number; readonly end: number; readonly sizeBytes: number },
  ): Promise<ReadableStream<Uint8Array>>;
  /** Removing a missing object is not an error. */
  remove(key: BlobKey): Promise<void>;
  /**
   * The id that is stored in this location, by which nodes notice that they use different ones. Null: not stored yet.
   */
  readPlaceId(): Promise<string | null>;
  /** Stores the id durably, in place of an earlier one. */
  keepPlaceId(id: string): Promise<void>;
  /**
   * Objects older than `olderThan` (milliseconds since the epoch), of all workspaces or of one, in pages of at most
   * 1000.
   */
  list(olderThan: number, workspaceId?: string): AsyncIterable<readonly BlobKey[]>;
  /** Removes leftovers of uploads older than `olderThan`, finished or not. @returns their number. */
  removeAbandonedUploads(olderThan: number): Promise<number>;
}

export interface BlobUpload extends AsyncDisposable {
  /**
   * Takes ownership of the chunk: its memory may be released at any time from now on. Resolves when there is room for
   * more; the caller waits, so that memory stays constant. A later call may report the failure.
   * @throws WorkspaceError `storage_full`, or as `open` when a remote store fails
   */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Makes the bytes durable under their content's name.
   * @returns the generation that the row must store.
   * @throws WorkspaceError as `write`
   */
  finish(content: { readonly contentHash: ContentHash; readonly sizeBytes: number }): Promise<string>;
}
