import { invalidRequest, utf8Text, type WorkspaceError } from '@stoa/core';
import { collectBytes } from '../service/contents/read-whole.ts';
import type { ContentRow, ReadableFile } from '../service/files/read-file.ts';

/** Part of a file's content, encoded, and the offset of the next part; null at the end. */
export interface ReadWindow {
  readonly content: string;
  readonly nextOffset: number | null;
}

/** The longest character of UTF-8, in bytes. */
const characterMaxBytes = 4;
// A byte order mark is content: writing the text back without it would change the file.
/**
 * Reads at most `maxBytes` bytes from `start`; empty at or past the end. A window of text ends at the end of a
 * character, so that the windows together are the file (interface: mcp, File tools).
 * @throws WorkspaceError `invalid_request` if the bytes are not UTF-8 or the window is too small for a character,
 * `stored_bytes_missing`
 */
export async function readWindow<Row extends ContentRow>(
  readable: ReadableFile<Row>,
  { start, maxBytes }: { readonly start: number; readonly maxBytes: number },
  encoding: 'utf8' | 'base64',
): Promise<ReadWindow> {
  const { sizeBytes } = readable.file;
  if (start >= sizeBytes) return { content: '', nextOffset: null };
  const end = Math.min(start + maxBytes, sizeBytes);
  const bytes = await collectBytes(await readable.open({ start, end }), end - start);
  if (encoding === 'base64') {
    return { content: Buffer.from(bytes).toString('base64'), nextOffset: end < sizeBytes ? end : null };
  }
  if (start > 0 && isContinuation(bytes[0])) throw await rejectInsideCharacter(readable, start);
  const whole = end < sizeBytes ? wholeCharactersLength(bytes) : bytes.length;
  if (whole === 0) {
    const wanted = `maxBytes: the character at ${start} does not fit; give at least ${characterMaxBytes}`;
    throw invalidRequest(wanted);
  }
  const content = decode(bytes.subarray(0, whole));
  const next = start + whole;
  return { content, nextOffset: next < sizeBytes ? next : null };
}

/** Length of the bytes that are whole characters. A character that is cut is left for the next window. */
function wholeCharactersLength(bytes: Uint8Array): number {
  const earliest = Math.max(0, bytes.length - (characterMaxBytes - 1));
  for (let at = bytes.length - 1; at >= earliest; at -= 1) {
    const byte = bytes[at] ?? 0;
    if (isContinuation(byte)) continue;
    return at + characterBytes(byte) > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function characterBytes(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

async function rejectInsideCharacter(
  readable: ReadableFile<ContentRow>,
  offset: number,
): Promise<WorkspaceError> {
  const start = Math.max(0, offset - (characterMaxBytes - 1));
  const before = await collectBytes(await readable.open({ start, end: offset }), offset - start);
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const byte = before[at] ?? 0;
    if (isContinuation(byte)) continue;
    const begins = start + at;
    // This character ends before the offset, so the byte at the offset starts a new one.
    if (begins + characterBytes(byte) <= offset) break;
    return invalidRequest(
      `offset: ${offset} is inside a character, which begins at ${begins}: continue with the nextOffset of the previous window`,
    );
  }
  return notText();
}

function decode(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text === null) throw notText();
  return text;
}

function notText(): WorkspaceError {
  return invalidRequest('The bytes are not UTF-8 text: read them with encoding base64');
}
