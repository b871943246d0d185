import type { Headers } from './security-headers.ts';

/** What an operation answers, before it becomes bytes on a connection. */
export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly headers?: Headers }
  | { readonly kind: 'empty'; readonly status: 204 | 304; readonly headers?: Headers }
  | {
      readonly kind: 'bytes';
      readonly status: 200 | 206;
      readonly headers: Headers;
      readonly content: Content;
    }
  /** JSON that is produced piece by piece; `produce` is held up while the client does not read. */
  | { readonly kind: 'json-pieces'; readonly produce: (write: WritePiece) => Promise<void> };

export interface Content {
  readonly sizeBytes: number;
  /** Null for an answer to HEAD: the bytes are not even opened. */
  readonly open: (() => Promise<Uint8Array | ReadableStream<Uint8Array>>) | null;
}

export type WritePiece = (text: string) => Promise<void>;

export function json(status: number, body: unknown, headers?: Headers): Answer {
  return headers === undefined ? { kind: 'json', status, body } : { kind: 'json', status, body, headers };
}
