import type { IncomingMessage, ServerResponse } from 'node:http';
import { mediaTypeOf, WorkspaceError } from '@stoa/core';
import { declaredBytes } from './headers.ts';
import { bodyPace, readBody } from './read-body.ts';

/** The forms of our own pages have a few short fields. */
const formMaxBytes = 16 * 1024;
const formType = 'application/x-www-form-urlencoded';

/**
 * Reads the fields of a form of our own pages.
 * @throws WorkspaceError `unsupported_media_type`, `request_too_large`, `upload_interrupted`
 */
export async function readFormBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<URLSearchParams> {
  if (mediaTypeOf(request.headers['content-type'] ?? '') !== formType) {
    throw new WorkspaceError('unsupported_media_type', {}, `The body must be a form, sent as ${formType}`);
  }
  if ((declaredBytes(request) ?? 0) > formMaxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of readBody(request, response, bodyPace)) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > formMaxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks, sizeBytes).toString('utf8'));
}

function tooLarge(): WorkspaceError {
  return new WorkspaceError('request_too_large', {}, `The form is larger than ${formMaxBytes} bytes`);
}
