import type { ContentHash } from '@stoa/core';

/** Bytes to send. A stream can be read once. It fails if its bytes do not match `hash`. */
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

/** Target of a download. The download passes the sink's own errors on unchanged. */
export interface DownloadSink {
  /** Size according to the feed or a list; null or missing if they did not give one. */
  readonly expectedBytes?: number | null;
  readonly receivedBytes: number;
  /** Takes over the bytes. The sink may write them later, so a later call may report a disk error. */
  append(bytes: Uint8Array): Promise<void>;
  /** Discards all bytes received so far, because different content follows. */
  restart(): Promise<void>;
  /** Hash of all bytes received. */
  digest(): ContentHash;
}

/** The file was written during its upload. The server has stored nothing of it. */
export class ContentChangedError extends Error {
  override readonly name = 'ContentChangedError';
}

/**
 * Releases the memory of a chunk after it was sent or written. If the garbage collector had to free the chunks of a
 * large file, it would scan the whole heap again and again.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
