import { setImmediate as nextTick } from 'node:timers/promises';
import { invalidRequest, type WorkspaceError } from '@stoa/core';

/** The content in an argument, as bytes. */
export interface ContentArgument {
  readonly sizeBytes: number;
  /** Converts lazily, so that a large file does not block other requests. Each chunk has its own memory. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Characters converted at once; a multiple of four, for base64. */
const chunkCharacters = 256 * 1024;
const utf8 = new TextEncoder();

/**
 * @throws WorkspaceError `invalid_request` if the content is not text or not base64. Reading the chunks may also
 * throw it, because nothing may be altered silently.
 */
export function contentArgument(text: string, encoding: 'utf8' | 'base64'): ContentArgument {
  return encoding === 'utf8' ? encodedText(text) : decodedBase64(text);
}

function encodedText(text: string): ContentArgument {
  if (!text.isWellFormed()) {
    throw invalidRequest('content: contains half a character (a lone surrogate)');
  }
  return {
    sizeBytes: Buffer.byteLength(text),
    async *chunks() {
      for (let at = 0; at < text.length; ) {
        const end = chunkEnd(text, at);
        yield utf8.encode(text.slice(at, end));
        at = end;
        if (at < text.length) await nextTick();
      }
    },
  };
}

/** Returns the end of a chunk, which never splits a surrogate pair. */
function chunkEnd(text: string, start: number): number {
  const end = Math.min(start + chunkCharacters, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function decodedBase64(given: string): ContentArgument {
  // Line breaks are common in base64 and have no meaning.
  const text = [' ', '\n', '\r', '\t'].some((space) => given.includes(space))
    ? given.replace(/\s+/g, '')
    : given;
  const body = text.replace(/={1,2}$/, '');
  if (body.length % 4 === 1 || (body !== text && text.length % 4 !== 0) || !isCanonical(body))
    throw notBase64();
  return {
    sizeBytes: Math.floor((body.length * 3) / 4),
    async *chunks() {
      for (let at = 0; at < body.length; at += chunkCharacters) {
        const chunk = body.slice(at, at + chunkCharacters);
        if (!/^[A-Za-z0-9+/]*$/.test(chunk)) throw notBase64();
        yield Uint8Array.from(Buffer.from(chunk, 'base64'));
        if (at + chunkCharacters < body.length) await nextTick();
      }
    },
  };
}

/** The last characters have a few spare bits. If they are not zero, decoding would drop something. */
function isCanonical(body: string): boolean {
  const tail = body.slice(body.length - (body.length % 4));
  return Buffer.from(tail, 'base64').toString('base64').replace(/=+$/, '') === tail;
}

function notBase64(): WorkspaceError {
  return invalidRequest('content: not valid base64; for text, omit encoding');
}
