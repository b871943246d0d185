import type { ContentHash } from '@stoa/core';

/** Bytes to send. A stream is read once; it fails rather than ending with other bytes than `hash` says. */
export type OutgoingContent =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly hash: ContentHash;
      readonly sizeBytes: number;
    }
  | {
      readonly kind: 'stream';
      readonly stream: ReadableStream<Uint8Array>;
      readonly hash: ContentHash;
      readonly sizeBytes: number;
    };

/** Where a download goes. Its own failures pass through the download unchanged. */
export interface DownloadSink {
  readonly receivedBytes: number;
  /** The bytes are the sink's from then on. It may write them later: what the disk refuses is told by a later step. */
  append(bytes: Uint8Array): Promise<void>;
  /** Forgets all that came: another content is coming. */
  restart(): Promise<void>;
  /** Of all that came. */
  digest(): ContentHash;
}

/** The file was written while it was being sent: the server has kept nothing of it. */
export class ContentChangedError extends Error {
  override readonly name = 'ContentChangedError';
}

/**
 * Gives the memory of a piece back once it was sent or written. Left to the collector, the pieces of a large file make it
 * search everything else that is held again and again.
 */
export function freePiece({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
