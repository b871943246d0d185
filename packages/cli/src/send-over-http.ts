// docs/decisions/0062-the-command-line-starts-with-little.md
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Answer, AnswerHeaders, Send, SentRequest } from '@stoa/client';
import { freePiece } from './engine/ports/content.ts';

/**
 * Sends as `fetch` does, as far as the client uses it, without loading it: no redirect is followed, and an answer may be
 * packed. Node's own agent keeps connections, and knows the proxy of the environment.
 */
export const sendOverHttp: Send = async (address, sent) => {
  const { message, method } = await sendOnce(address, sent).catch((error: unknown) => {
    // The server let go of a connection that was kept while it was chosen for this. What only reads may be asked again.
    if (error instanceof LostConnection && isSafe(sent.method)) return sendOnce(address, sent);
    throw error;
  });
  // Whoever reads it is told; nobody has to.
  message.on('error', () => {});
  return answerOf(message, await unpacked(message), method);
};

const isSafe = (method: string) => method === 'GET' || method === 'HEAD';

/** A connection that had served before broke before an answer began. */
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
  const answered = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', answered.resolve);
  const fail = (error: NodeJS.ErrnoException) => {
    const isLost = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    answered.reject(isLost ? new LostConnection(error.message, { cause: error }) : error);
  };
  // Once the answer has begun it is the answer that breaks off.
  outgoing.on('error', fail);
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
  else void sendPieces(piecesOf(body), outgoing);
  return { message: await answered.promise, method };
}

/**
 * What the body fails with ends the request; what ends the request ends the body. The next piece is made while the one before
 * is on its way, and what was sent is given back.
 */
async function sendPieces(body: AsyncIterable<Uint8Array>, outgoing: ClientRequest): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  outgoing.once('close', () => closed.reject(new Error('the request has ended')));
  const send = (piece: Uint8Array) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    outgoing.write(piece, (error) => (error ? reject(error) : resolve()));
    // Of a request that ends, not every write is answered.
    return Promise.race([promise, closed.promise]).then(() => freePiece(piece));
  };
  let sending: Promise<void> = Promise.resolve();
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      await sending;
      sending = send(next.value);
      sending.catch(() => {});
    }
    await sending;
    outgoing.end();
  } catch (error) {
    // Told by the request itself, if it has not ended before.
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    await pieces.return?.();
  }
}

function piecesOf(body: Exclude<SentRequest['body'], undefined | string | Uint8Array>) {
  return body instanceof Blob ? body.stream() : body;
}

function answerOf(message: IncomingMessage, bytes: Readable, method: string): Answer {
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
    // Of an answer in JSON no stream is made: Node loads the whole library of them for the first.
    get pieces() {
      return isBodyless ? null : bytes;
    },
    async arrayBuffer() {
      const pieces: Buffer[] = [];
      if (!isBodyless) for await (const piece of bytes) pieces.push(piece);
      const all = new Uint8Array(Buffer.concat(pieces));
      return all.buffer;
    },
  };
}

function headersOf({ headers }: IncomingMessage): AnswerHeaders {
  const get = (name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return { get, has: (name) => get(name) !== null };
}

/** A proxy may pack what the server sent plain. */
async function unpacked(message: IncomingMessage): Promise<Readable> {
  switch (message.headers['content-encoding']) {
    case 'gzip':
      return pipeline(message, (await import('node:zlib')).createGunzip(), () => {});
    case 'br':
      return pipeline(message, (await import('node:zlib')).createBrotliDecompress(), () => {});
    default:
      return message;
  }
}

/** Read piece by piece, as it is asked for. */
function streamOf(bytes: Readable): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void bytes.destroy(),
    },
    { highWaterMark: 0 },
  );
}
