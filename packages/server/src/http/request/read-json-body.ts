import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonBodyMaxBytes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { type BodyPace, bodyPace } from './body-pace.ts';
import { declaredBytes, hasBody } from './declared-bytes.ts';
import { readBody } from './read-body.ts';

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
  if (!hasBody(request)) return undefined;
  if (!isJson(request.headers['content-type'])) throw new WorkspaceError('unsupported_media_type');
  if ((declaredBytes(request) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of readBody(request, response, pace)) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  if (sizeBytes === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(Buffer.concat(chunks, sizeBytes)));
  } catch {
    throw new WorkspaceError('invalid_request', {}, 'The body is not valid JSON');
  }
}

function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return type.trim().toLowerCase() === 'application/json';
}

function tooLarge(maxBytes: number): WorkspaceError {
  return new WorkspaceError('request_too_large', {}, `The body is larger than ${maxBytes} bytes`);
}
