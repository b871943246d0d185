import type { Socket } from 'node:net';
import { errorBodyOf } from '@stoa/contract';

const responses: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'The chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
};
const malformed = [400, 'Bad Request', 'The request is not valid HTTP'] as const;

/** Responds to bytes that could not be parsed as a request, in the same form as other errors. */
export function handleClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // A client would read it as part of the response that has begun.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, reason, text] = responses[error.code ?? ''] ?? malformed;
  const body = JSON.stringify(errorBodyOf(status, text));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}
