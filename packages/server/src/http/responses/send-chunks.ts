import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { recordFailure } from '../request-record.ts';
import type { WriteChunk } from './response.ts';
import { ClientGone } from './send-stream.ts';

/** Text up to this length is sent at once with its `Content-Length`. Most listings fit. */
const heldCharactersMax = 64 * 1024;
/**
 * Total time for which `produce` waits for its client. Later output goes to the disk, so that `produce` never keeps
 * its resources at the pace of a slow client.
 */
const waitedMsMax = 250;

/** Sends text as it is produced. */
export async function sendChunks(
  reply: FastifyReply,
  produce: (write: WriteChunk) => Promise<void>,
  begin: () => void,
): Promise<void> {
  let held = '';
  let stream: PassThrough | null = null;
  let spool: Spool | null = null;
  let leftMs = waitedMsMax;
  const flush = async () => {
    if (stream === null) {
      if (reply.raw.destroyed) throw clientGone();
      begin();
      stream = new PassThrough({ highWaterMark: 2 * heldCharactersMax });
      reply.send(stream);
    }
    if (stream.destroyed) throw clientGone();
    const text = held;
    held = '';
    if (spool !== null) {
      await spool.add(text);
    } else if (!stream.write(text)) {
      const waitedFrom = performance.now();
      if (!(await drained(stream, leftMs))) spool = await openSpool();
      leftMs -= performance.now() - waitedFrom;
    }
  };
  try {
    await produce(async (text) => {
      held += text;
      if (held.length >= heldCharactersMax) await flush();
    });
    if (stream === null) {
      begin();
      reply.send(held);
    } else {
      // Both are assigned in `flush`, which the compiler does not see.
      for await (const chunk of (spool as Spool | null)?.pieces() ?? []) {
        if (!(stream as PassThrough).write(chunk)) await drained(stream);
      }
      (stream as PassThrough).end(held);
    }
  } catch (error) {
    if (stream === null) {
      if (!(error instanceof ClientGone)) throw error;
      leaveWithoutResponse(reply);
      return;
    }
    if (!(error instanceof ClientGone)) recordFailure(reply.request.raw, error);
    endBroken(stream, error);
  } finally {
    await (spool as Spool | null)?.[Symbol.asyncDispose]();
  }
}

/** Text on the disk that waits for its client. */
interface Spool extends AsyncDisposable {
  add(text: string): Promise<void>;
  pieces(): AsyncIterable<Buffer>;
}

async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-response-'));
  const file = join(folder, 'rest');
  return {
    add: (text) => appendFile(file, text, { mode: 0o600 }),
    pieces: () => createReadStream(file) as AsyncIterable<Buffer>,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Sends bytes as they are produced, at the client's pace. A failure before the first chunk still becomes an error
 * response.
 */
export async function sendByteChunks(
  reply: FastifyReply,
  chunks: AsyncGenerator<Uint8Array>,
  begin: () => void,
): Promise<void> {
  const first = await chunks.next();
  if (reply.raw.destroyed) {
    leaveWithoutResponse(reply);
    await chunks.return(undefined);
    return;
  }
  begin();
  const stream = new PassThrough({ highWaterMark: 2 * heldCharactersMax });
  reply.send(stream);
  try {
    for (let next = first; next.done !== true; next = await chunks.next()) {
      if (!stream.write(next.value)) await drained(stream);
    }
    stream.end();
  } catch (error) {
    if (!(error instanceof ClientGone)) recordFailure(reply.request.raw, error);
    endBroken(stream, error);
  } finally {
    await chunks.return(undefined);
  }
}

/** Without `hijack` the framework reports a stream to a closed connection as a server error. */
function leaveWithoutResponse(reply: FastifyReply): void {
  reply.hijack();
}

function endBroken(stream: PassThrough, error: unknown): void {
  stream.destroy(error instanceof Error ? error : new Error(String(error)));
}

function clientGone(): ClientGone {
  return new ClientGone('the client went away before the whole response was sent');
}

/**
 * Resolves with true when a full stream has room again, or with false after `timeoutMs`. `createConnectionQueues`
 * limits the time that a client may take, and cuts its connection.
 * @throws ClientGone
 */
function drained(stream: PassThrough, timeoutMs: number | null = null): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      if (timer !== null) clearTimeout(timer);
      stream.off('drain', whenDrained).off('close', whenClosed);
      end();
    };
    const whenDrained = () => settle(() => resolve(true));
    const whenClosed = () => settle(() => reject(clientGone()));
    const timer =
      timeoutMs === null ? null : setTimeout(() => settle(() => resolve(false)), Math.max(0, timeoutMs));
    if (stream.destroyed) {
      whenClosed();
      return;
    }
    stream.on('drain', whenDrained).on('close', whenClosed);
  });
}
