import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonBodyMaxBytes, jsonDepthMax, jsonValuesMax } from '@stoa/contract';
import { invalidRequest, mediaTypeOf, WorkspaceError } from '@stoa/core';
import type { LargeMessage } from '../../mcp/large-message.ts';
import { declaredBytes, hasBody } from './headers.ts';
import type { MessageReader } from './message-reader.ts';
import { type BodyPace, bodyPace, readBody } from './read-body.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A request's JSON body, undefined when it has none.
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

/** What the bytes say; undefined when they are not JSON in UTF-8. */
function parseJson(chunks: readonly Uint8Array[]): unknown {
  try {
    return JSON.parse(utf8.decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}

/** Beyond it a body is parsed in a worker: other requests wait for no more. */
export const smallJsonBytes = 512 * 1024;
/** Bodies beyond this are held in memory a few at a time. */
const heldFreelyBytes = 4 * 1024 * 1024;

/**
 * Reads a JSON body that may be large, parses it, and gives it to `use`; its memory is counted until that is done.
 * @param userId who sent it: people take turns. @param use is given null when the body is not JSON.
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
 * The bytes of what says that it is JSON, and has no more structure than a body may; none when there is no body.
 * @param options.beforeHolding is asked with the size that is declared, and with each that is reached.
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

/** Looks at the bytes of a JSON text as they arrive, so that what is expensive to parse is refused before it is. */
export interface JsonStructure {
  /** @throws WorkspaceError `invalid_request` once the text so far is nested too deeply or holds too many values. */
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
 * Counts brackets and commas outside strings: parsing costs far more for each of them than for a byte of a string. One
 * pass that leaps over strings; whether the text is JSON at all is left to the parser.
 */
export function createJsonStructure(): JsonStructure {
  let depth = 0;
  let values = 0;
  let isInString = false;
  /** Whether the text so far ends in a backslash that escapes what follows. */
  let isEscaping = false;

  /** @returns where the string ends, or the chunk. */
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
