// docs/speed.md
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { HttpResponse, ResponseHeaders, Send, SentRequest } from '@stoa/client';
import { freeChunk } from './engine/ports/content.ts';

/**
 * Sends requests like `fetch`, as far as the client needs it, without loading `fetch`. Does not follow redirects. A
 * response may be compressed. Node's own agent reuses connections and uses the proxy settings of the environment.
 */
export const sendOverHttp: Send = async (address, sent) => {
  const { message, method } = await sendOnce(address, sent).catch((error: unknown) => {
    // The server closed a kept-alive connection just as it was chosen for this request. Only reads may be repeated.
    if (error instanceof LostConnection && isSafe(sent.method)) return sendOnce(address, sent);
    throw error;
  });
  // A reader of the body gets the error. A missing reader must not end the process.
  message.on('error', () => {});
  return responseOf(message, await unpacked(message), method);
};

const isSafe = (method: string) => method === 'GET' || method === 'HEAD';

/** A reused connection broke before a response began. */
class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

async function sendOnce(
  address: string,
  { method, headers, body, signal }: SentRequest,
): Promise<{ readonly message: IncomingMessage; readonly method: string }> {
  const request = address.startsWith('https:') ? (await import('node:https')).request : requestHttp;
  const packed = { 'Accept-Encoding': 'gzip, br' };
  const outgoing = request(address, { method, headers: { ...packed, ...headers }, signal });
  const responded = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', responded.resolve);
  const fail = (error: NodeJS.ErrnoException) => {
    const isLost = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    responded.reject(isLost ? new LostConnection(error.message, { cause: error }) : error);
  };
  // Once the response has begun, the response itself reports the error.
  outgoing.on('error', fail);
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
  else void sendChunks(chunksOf(body), outgoing);
  return { message: await responded.promise, method };
}

/**
 * An error of the body ends the request, and the end of the request ends the body. Prepares the next chunk while the
 * previous one is sent. Releases sent chunks.
 */
async function sendChunks(body: AsyncIterable<Uint8Array>, outgoing: ClientRequest): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  outgoing.once('close', () => closed.reject(new Error('the request has ended')));
  const send = (chunk: Uint8Array) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    outgoing.write(chunk, (error) => (error ? reject(error) : resolve()));
    // If the request ends, some writes never call back.
    return Promise.race([promise, closed.promise]).then(() => freeChunk(chunk));
  };
  let sending: Promise<void> = Promise.resolve();
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      await sending;
      sending = send(next.value);
      sending.catch(() => {});
    }
    await sending;
    outgoing.end();
  } catch (error) {
    // The request itself reports the error unless it has ended before.
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    await chunks.return?.();
  }
}

function chunksOf(body: Exclude<SentRequest['body'], undefined | string | Uint8Array>) {
  return body instanceof Blob ? body.stream() : body;
}

function responseOf(message: IncomingMessage, bytes: Readable, method: string): HttpResponse {
  const status = message.statusCode ?? 0;
  const headers = headersOf(message);
  const isBodyless = method === 'HEAD' || status === 204 || status === 304;
  if (isBodyless) message.resume();
  return {
    status,
    ok: status >= 200 && status < 300,
    headers,
    get body() {
      return isBodyless ? null : streamOf(bytes);
    },
    // JSON responses need no web stream. The first one loads Node's whole library of them.
    get chunks() {
      return isBodyless ? null : bytes;
    },
  };
}

function headersOf({ headers }: IncomingMessage): ResponseHeaders {
  const get = (name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return { get, has: (name) => get(name) !== null };
}

/** Text compresses to a tenth. A body that compresses to less than a hundredth is unpacked up to this size only. */
const unpackedBytesMax = 64 * 1024 * 1024;
const packedShareMin = 0.01;

/** A proxy may compress a response that the server sent uncompressed. */
async function unpacked(message: IncomingMessage): Promise<Readable> {
  const encoding = message.headers['content-encoding'];
  if (encoding !== 'gzip' && encoding !== 'br') return message;
  const { createBrotliDecompress, createGunzip } = await import('node:zlib');
  const unpacking = encoding === 'gzip' ? createGunzip() : createBrotliDecompress();
  const { Transform } = await import('node:stream');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.length;
      const isTooMuch = bytes > unpackedBytesMax && unpacking.bytesWritten < bytes * packedShareMin;
      if (isTooMuch) done(new Error('the response unpacks to more than a hundred times its bytes'));
      else done(null, chunk);
    },
  });
  return pipeline(message, unpacking, counting, () => {});
}

/** A stream that is read chunk by chunk on demand. */
function streamOf(bytes: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void bytes.destroy(),
    },
    { highWaterMark: 0 },
  );
}
