import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonBodyMaxBytes } from '@stoa/contract';
import { invalidRequest, mediaTypeOf, WorkspaceError } from '@stoa/core';
import { declaredBytes, hasBody } from './headers.ts';
import { createJsonStructure } from './json-structure.ts';
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
export function parseJson(chunks: readonly Uint8Array[]): unknown {
  try {
    return JSON.parse(utf8.decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}

/**
 * The bytes of what says that it is JSON, and has no more structure than a body may; none when there is no body.
 * @param options.beforeHolding is asked with the size that is declared, and with each that is reached.
 * @throws WorkspaceError `unsupported_media_type`, `request_too_large`, `invalid_request` for its structure,
 * `upload_interrupted`
 */
export async function readJsonChunks(
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
