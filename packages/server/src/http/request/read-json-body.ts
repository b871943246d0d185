import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonBodyMaxBytes, jsonDepthMax, jsonValuesMax } from '@stoa/contract';
import { invalidRequest, mediaTypeOf, utf8TextWithoutMark, WorkspaceError } from '@stoa/core';
import type { LargeMessage } from '../../mcp/large-message.ts';
import { declaredBytes, hasBody } from './headers.ts';
import type { MessageReader } from './message-reader.ts';
import { type BodyPace, bodyPace, readBody } from './read-body.ts';

/**
 * Reads a request's JSON body; undefined without one.
 * @throws WorkspaceError `unsupported_media_type`, `request_too_large`, `invalid_request`, `upload_interrupted`
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number = jsonBodyMaxBytes,
  pace: BodyPace = bodyPace,
): Promise<unknown> {
  const chunks = await readJsonChunks(request, response, maxBytes, { pace });
  if (chunks.length === 0) return undefined;
  const parsed = parseJson(chunks);
  if (parsed === undefined) throw notJson();
  return parsed;
}

export function notJson(): WorkspaceError {
  return invalidRequest('The body is not valid JSON');
}

/** Parses JSON in UTF-8; undefined if it is invalid. */
function parseJson(chunks: readonly Uint8Array[]): unknown {
  const text = utf8TextWithoutMark(Buffer.concat(chunks));
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Larger bodies are parsed in a worker, so that they do not block other requests. */
export const smallJsonBytes = 512 * 1024;
/** A semaphore limits how many larger bodies are in memory at once. */
const heldFreelyBytes = 4 * 1024 * 1024;

/**
 * Reads a JSON body that may be large, parses it, and passes it to `use`. Its memory is counted until `use` ends.
 * @param userId the sender, for fairness among users
 * @param use gets null if the body is not JSON
 * @throws WorkspaceError as `readJsonChunks`, and `overloaded`
 */
export async function withLargeJson<Result>(
  { messages, userId }: { readonly messages: MessageReader; readonly userId: string },
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  maxBytes: number,
  use: (message: LargeMessage | null) => Promise<Result>,
): Promise<Result> {
  let release = () => {};
  let isCounted = false;
  const beforeHolding = async (sizeBytes: number) => {
    if (isCounted || sizeBytes <= heldFreelyBytes) return;
    release = await messages.hold(userId);
    isCounted = true;
  };
  try {
    const chunks = await readJsonChunks(request, response, maxBytes, { beforeHolding });
    const sizeBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (sizeBytes > smallJsonBytes) return await use(await messages.parse(userId, chunks));
    const message = parseJson(chunks);
    return await use(message === undefined ? null : { message, content: null });
  } finally {
    release();
  }
}

/**
 * Reads the bytes of a JSON body that has no more structure than allowed; empty without a body.
 * @param options.beforeHolding called with the declared size, and with each size that is reached
 * @throws WorkspaceError `unsupported_media_type`, `request_too_large`, `invalid_request` for its structure,
 * `upload_interrupted`
 */
async function readJsonChunks(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  options: { readonly pace?: BodyPace; readonly beforeHolding?: (sizeBytes: number) => Promise<void> } = {},
): Promise<readonly Uint8Array[]> {
  if (!hasBody(request)) return [];
  if (!isJson(request.headers['content-type'])) throw new WorkspaceError('unsupported_media_type');
  const declared = declaredBytes(request) ?? 0;
  if (declared > maxBytes) throw tooLarge(maxBytes);
  await options.beforeHolding?.(declared);
  const structure = createJsonStructure();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of readBody(request, response, options.pace ?? bodyPace)) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    structure.push(chunk);
    await options.beforeHolding?.(sizeBytes);
    chunks.push(chunk);
  }
  return chunks;
}

function isJson(contentType: string | undefined): boolean {
  return mediaTypeOf(contentType ?? '') === 'application/json';
}

function tooLarge(maxBytes: number): WorkspaceError {
  return new WorkspaceError('request_too_large', {}, `The body is larger than ${maxBytes} bytes`);
}

/** Checks the structure of JSON text as it arrives, to reject expensive text before it is parsed. */
export interface JsonStructure {
  /** @throws WorkspaceError `invalid_request` when the text so far is nested too deeply or has too many values */
  push(chunk: Uint8Array): void;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Counts brackets and commas outside strings, because each of them costs the parser far more than a byte of a string.
 * It makes one pass and skips strings. The parser decides whether the text is JSON at all.
 */
export function createJsonStructure(): JsonStructure {
  let depth = 0;
  let values = 0;
  let isInString = false;
  /** Whether the text so far ends in a backslash that escapes the next character. */
  let isEscaping = false;

  /** @returns the end of the string, or of the chunk */
  function skipString(chunk: Uint8Array, from: number): number {
    const found = chunk.indexOf(quote, from);
    const end = found === -1 ? chunk.length : found;
    let before = end - 1;
    while (before >= from && chunk[before] === backslash) before -= 1;
    const backslashes = end - 1 - before + (before < from && isEscaping ? 1 : 0);
    const isOdd = backslashes % 2 === 1;
    isEscaping = found === -1 && isOdd;
    isInString = found === -1 || isOdd;
    return end + 1;
  }

  function open(): void {
    depth += 1;
    if (depth > jsonDepthMax)
      throw invalidRequest(`The body is nested more than ${jsonDepthMax} levels deep`);
    count();
  }

  function count(): void {
    values += 1;
    if (values > jsonValuesMax) throw invalidRequest(`The body holds more than ${jsonValuesMax} values`);
  }

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) {
        if (isInString) {
          at = skipString(chunk, at);
          continue;
        }
        switch (chunk[at]) {
          case quote:
            isInString = true;
            break;
          case openBracket:
          case openBrace:
            open();
            break;
          case closeBracket:
          case closeBrace:
            depth -= 1;
            break;
          case comma:
            count();
            break;
        }
        at += 1;
      }
    },
  };
}
