import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { noteFailure } from '../request-record.ts';
import type { WritePiece } from './answer.ts';
import { ClientGone } from './send-stream.ts';

/** Text up to this length is sent in one go, with its length; most listings are. */
const heldCharactersMax = 64 * 1024;
/** How long a client may leave a full connection unread, while `produce` holds what it needs. */
const unreadMsMax = 30_000;

/** Sends text as it is produced, at the client's pace. */
export async function sendPieces(
  reply: FastifyReply,
  produce: (write: WritePiece) => Promise<void>,
  begin: () => void,
): Promise<void> {
  let held = '';
  let stream: PassThrough | null = null;
  const flush = async () => {
    if (stream === null) {
      if (reply.raw.destroyed) throw new ClientGone('the client went away before its answer began');
      begin();
      stream = new PassThrough({ highWaterMark: 2 * heldCharactersMax });
      reply.send(stream);
    }
    const text = held;
    held = '';
    if (!stream.write(text)) await drained(stream);
  };
  try {
    await produce(async (text) => {
      held += text;
      if (held.length >= heldCharactersMax) await flush();
    });
  } catch (error) {
    if (stream === null) {
      if (!(error instanceof ClientGone)) throw error;
      leaveUnanswered(reply);
      return;
    }
    if (!(error instanceof ClientGone)) noteFailure(reply.request.raw, error);
    endBroken(stream, error);
    return;
  }
  if (stream === null) {
    begin();
    reply.send(held);
  } else {
    endWhole(stream, held);
  }
}

/** Sends bytes as they are produced, at the client's pace. What is wrong with the first of them can still be a refusal. */
export async function sendBytePieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<Uint8Array>,
  begin: () => void,
): Promise<void> {
  const first = await pieces.next();
  if (reply.raw.destroyed) {
    leaveUnanswered(reply);
    await pieces.return(undefined);
    return;
  }
  begin();
  const stream = new PassThrough({ highWaterMark: 2 * heldCharactersMax });
  reply.send(stream);
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) {
      if (!stream.write(next.value)) await drained(stream);
    }
    stream.end();
  } catch (error) {
    if (!(error instanceof ClientGone)) noteFailure(reply.request.raw, error);
    endBroken(stream, error);
  } finally {
    await pieces.return(undefined);
  }
}

/** To the framework a stream that goes to a closed connection is a failure of the server. */
function leaveUnanswered(reply: FastifyReply): void {
  reply.hijack();
}

function endWhole(stream: PassThrough, rest: string): void {
  stream.end(rest);
}

function endBroken(stream: PassThrough, error: unknown): void {
  stream.destroy(error instanceof Error ? error : new Error(String(error)));
}

function drained(stream: PassThrough): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      stream.off('drain', whenDrained).off('close', whenClosed);
      end();
    };
    const whenDrained = () => settle(resolve);
    const whenClosed = () =>
      settle(() => reject(new ClientGone('the client went away while its answer was sent')));
    const timer = setTimeout(
      () => settle(() => reject(new ClientGone('the client stopped reading its answer'))),
      unreadMsMax,
    );
    if (stream.destroyed) {
      whenClosed();
      return;
    }
    stream.on('drain', whenDrained).on('close', whenClosed);
  });
}
