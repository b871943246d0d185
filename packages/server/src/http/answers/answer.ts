// docs/decisions/0016-user-bytes-on-our-origin.md

export type Headers = Readonly<Record<string, string | number>>;

/** On every answer that is not a file's bytes or a page. */
export const dataHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** On bytes that people uploaded: shown nowhere with the rights of this server's own pages. */
export const uploadedBytesHeaders: Headers = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const oneYearSeconds = 31_536_000;

/** Only said over https: browsers ignore it elsewhere. */
export function transportHeaders(baseUrl: string): Headers {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${oneYearSeconds}` } : {};
}

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
