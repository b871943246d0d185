import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** How much of a refused body is thrown away, and for how long, so that its sender gets to read the answer. */
export interface LingerBounds {
  readonly bytes: number;
  readonly milliseconds: number;
}

export const lingerBounds: LingerBounds = { bytes: 256 * 1024 * 1024, milliseconds: 20_000 };

/**
 * An answer that is sent whole at once and ends once the rest of the request's body was thrown away. Closing a connection
 * with unread bytes resets it, and many clients then report the reset and never see the answer. The answer needs its
 * `Content-Length`, so that a client knows it is whole before the connection closes.
 */
export function lingeringAnswer(request: IncomingMessage, body: Buffer, bounds: LingerBounds): Readable {
  return Readable.from(answerThenDiscard(request, body, bounds), { objectMode: false });
}

async function* answerThenDiscard(
  request: IncomingMessage,
  body: Buffer,
  bounds: LingerBounds,
): AsyncGenerator<Buffer, void, undefined> {
  yield body;
  await discardBody(request, bounds);
}

function discardBody(request: IncomingMessage, bounds: LingerBounds): Promise<void> {
  return new Promise((resolve) => {
    let discardedBytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('error', done).off('close', done);
      resolve();
    };
    const count = (chunk: Buffer) => {
      discardedBytes += chunk.length;
      if (discardedBytes > bounds.bytes) done();
    };
    const timer = setTimeout(done, bounds.milliseconds);
    if (request.readableEnded || request.destroyed) {
      done();
      return;
    }
    request.on('data', count).on('end', done).on('error', done).on('close', done);
    request.resume();
  });
}
