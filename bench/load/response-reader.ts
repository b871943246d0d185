/** The state of one response after the bytes so far. */
export type ResponseState =
  | { readonly kind: 'more' }
  | { readonly kind: 'complete'; readonly status: number };

const headBytesMax = 64 * 1024;
const more: ResponseState = { kind: 'more' };
const lastChunk = Buffer.from('0\r\n\r\n', 'latin1');
const headEnd = Buffer.from('\r\n\r\n', 'latin1');

/**
 * Reads HTTP/1.1 responses from one connection, one at a time. It counts the body instead of keeping it: on a small
 * machine the reader's own cost would otherwise be part of every figure.
 */
export class ResponseReader {
  /** Bytes received in all. */
  bytes = 0;
  #head: Buffer | null = null;
  #status = 0;
  #left = -1;
  #tail: Buffer = Buffer.alloc(0);

  /** @throws when the bytes are not a valid response. */
  read(chunk: Buffer): ResponseState {
    this.bytes += chunk.length;
    if (this.#status === 0) return this.#readHead(chunk);
    return this.#left === -1 ? this.#readChunked(chunk) : this.#readCounted(chunk.length);
  }

  #readHead(chunk: Buffer): ResponseState {
    const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(headEnd);
    if (end === -1) {
      if (bytes.length > headBytesMax) throw new Error('a response without an end to its head');
      this.#head = bytes;
      return more;
    }
    this.#head = null;
    const text = bytes.toString('latin1', 0, end + 2);
    const status = Number(text.slice(9, 12));
    if (!(status >= 200 && status < 600)) throw new Error(`a response that starts ${text.slice(0, 40)}`);
    this.#status = status;
    const body = bytes.subarray(end + 4);
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(text)?.[1];
    if (length !== undefined) {
      this.#left = Number(length);
      return this.#readCounted(body.length);
    }
    if (status === 204 || status === 304) return this.#complete();
    if (!/\r\ntransfer-encoding: *chunked\r\n/i.test(text)) throw new Error('a response of unknown length');
    this.#left = -1;
    return this.#readChunked(body);
  }

  #readCounted(bytes: number): ResponseState {
    this.#left -= bytes;
    if (this.#left < 0) throw new Error('more bytes than the response declared');
    return this.#left === 0 ? this.#complete() : more;
  }

  /** Only JSON is chunked here. JSON has no bare line ends, so the end can be found without counting chunks. */
  #readChunked(bytes: Buffer): ResponseState {
    this.#tail =
      bytes.length >= lastChunk.length
        ? bytes.subarray(-lastChunk.length)
        : Buffer.concat([this.#tail, bytes]).subarray(-lastChunk.length);
    return this.#tail.equals(lastChunk) ? this.#complete() : more;
  }

  #complete(): ResponseState {
    const status = this.#status;
    this.#status = 0;
    this.#left = -1;
    this.#tail = Buffer.alloc(0);
    return { kind: 'complete', status };
  }
}
