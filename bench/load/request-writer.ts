import { randomBytes } from 'node:crypto';
import { seedPath } from '../seed/seed-path.ts';
import { type HeaderLines, numberMark, type RequestSource } from './load-job.ts';

/** Writes one connection's next request to its socket. `number` counts all requests of the run from 0. */
export type RequestWriter = (socket: Writable, number: number) => void;

/** The part of a socket that a writer needs. */
export interface Writable {
  write(bytes: Buffer): boolean;
  once(event: 'drain', listener: () => void): unknown;
  readonly destroyed: boolean;
}

const digits = numberMark.length;
const chunkBytes = 1024 * 1024;

/** Returns a writer for one connection. It builds requests before the run where possible, and patches them in place. */
export function requestWriter(source: RequestSource, connection: number): RequestWriter {
  switch (source.kind) {
    case 'get':
      return getWriter(source.targets, source.headers);
    case 'put-new':
      return newFileWriter(source, connection);
    case 'put-spread':
      return spreadFileWriter(source);
    case 'put-tree':
      return treeFileWriter(source);
    case 'numbered':
      return numberedWriter(source);
    case 'put-large':
      return largeFileWriter(source);
  }
}

function getWriter(targets: readonly string[], headers: HeaderLines): RequestWriter {
  const requests = targets.map((target) => head('GET', target, headers, null));
  return (socket, number) => {
    const request = requests[number % requests.length];
    if (request !== undefined) socket.write(request);
  };
}

/** The connection waits for each response, so its buffer is free when the next request is written into it. */
function newFileWriter(
  source: Extract<RequestSource, { kind: 'put-new' }>,
  connection: number,
): RequestWriter {
  const target = `${source.root}/c${String(connection).padStart(2, '0')}/${numberMark}.bin`;
  const start = head('PUT', target, source.headers, source.bodyBytes);
  const request = Buffer.concat([start, randomBytes(source.bodyBytes)]);
  const inTarget = request.indexOf(numberMark);
  return (socket, number) => {
    const text = String(source.first + number).padStart(digits, '0');
    request.write(text, inTarget, 'latin1');
    request.write(text, start.length, 'latin1');
    socket.write(request);
  };
}

function spreadFileWriter(source: Extract<RequestSource, { kind: 'put-spread' }>): RequestWriter {
  const body = randomBytes(source.bodyBytes);
  return (socket, number) => {
    const file = String(source.first + number).padStart(digits, '0');
    const root = source.roots[number % source.roots.length];
    body.write(file, 0, 'latin1');
    socket.write(Buffer.concat([head('PUT', `${root}/${file}.bin`, source.headers, source.bodyBytes), body]));
  };
}

function treeFileWriter(source: Extract<RequestSource, { kind: 'put-tree' }>): RequestWriter {
  const body = randomBytes(source.bodyBytes);
  return (socket, number) => {
    const file = source.first + number;
    const target = `${source.root}/${seedPath(file).split('/').map(encodeURIComponent).join('/')}`;
    body.write(String(file).padStart(digits, '0'), 0, 'latin1');
    socket.write(Buffer.concat([head('PUT', target, source.headers, source.bodyBytes), body]));
  };
}

function numberedWriter(source: Extract<RequestSource, { kind: 'numbered' }>): RequestWriter {
  const body = Buffer.from(source.body);
  const request = Buffer.concat([head(source.method, source.target, source.headers, body.length), body]);
  const marks = [...request.toString('latin1').matchAll(new RegExp(numberMark, 'g'))].map(
    ({ index }) => index,
  );
  return (socket, number) => {
    const text = String(source.first + number).padStart(digits, '0');
    for (const mark of marks) request.write(text, mark, 'latin1');
    socket.write(request);
  };
}

function largeFileWriter(source: Extract<RequestSource, { kind: 'put-large' }>): RequestWriter {
  const start = head('PUT', source.target, source.headers, source.bodyBytes);
  const chunk = randomBytes(chunkBytes);
  return (socket) => {
    let left = source.bodyBytes;
    const send = () => {
      while (left > 0 && !socket.destroyed) {
        const size = Math.min(left, chunkBytes);
        left -= size;
        if (!socket.write(size === chunkBytes ? chunk : chunk.subarray(0, size)) && left > 0) {
          socket.once('drain', send);
          return;
        }
      }
    };
    socket.write(start);
    send();
  };
}

function head(method: string, target: string, headers: HeaderLines, bodyBytes: number | null): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers];
  if (bodyBytes !== null) lines.push(`Content-Length: ${bodyBytes}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
