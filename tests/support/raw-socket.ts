import { once } from 'node:events';
import { connect } from 'node:net';
import type { HttpResponse } from './response.ts';

/** Fails a request that hangs. On a busy machine a service may respond late. */
const deadlineMs = 60_000;
const responseBytesMax = 16 * 1024 * 1024;

/**
 * Sends bytes unchanged over a new socket and reads the response until the other side closes. The request should
 * therefore say `Connection: close`. Text is sent as latin1, one byte per character.
 * @throws when no complete response came back.
 */
export async function sendRaw(url: string, request: string | Uint8Array): Promise<HttpResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.setTimeout(deadlineMs, () => socket.destroy(new Error('no response in time')));
  const received: Buffer[] = [];
  let size = 0;
  // After its response a server may reset the rest of the request. The response still counts.
  let failure: Error | null = null;
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk);
    size += chunk.length;
    if (size > responseBytesMax || isComplete(received)) socket.destroy();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
  await closed;
  if (size === 0) throw failure ?? new Error('the connection was closed without a response');
  return parseResponse(Buffer.concat(received));
}

function isComplete(received: readonly Buffer[]): boolean {
  const bytes = Buffer.concat(received);
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head))?.[1];
  return length !== undefined && bytes.length >= head + 4 + Number(length);
}

/** Reads one HTTP/1.1 response and skips interim ones. Joins a chunked body. */
function parseResponse(bytes: Buffer): HttpResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`no complete response: ${bytes.toString('latin1')}`);
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parseResponse(rest);
  const headers = new Map<string, readonly string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const chunked = headers.get('transfer-encoding')?.includes('chunked') === true;
  return { status, headers, bytes: chunked ? joinChunks(rest) : rest };
}

function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd === -1 || Number.isNaN(size) || size === 0) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
