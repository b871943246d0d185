import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Content } from './answer.ts';

/** Sends stored bytes. They are opened before `begin` sets the headers, so that missing bytes can still be a refusal. */
export async function sendContent(reply: FastifyReply, content: Content, begin: () => void): Promise<void> {
  const { sizeBytes, open } = content;
  if (open === null) {
    begin();
    reply.header('content-length', sizeBytes).send();
    return;
  }
  const bytes = await open();
  begin();
  reply.header('content-length', sizeBytes);
  if (bytes instanceof Uint8Array) {
    reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return;
  }
  reply.send(
    Readable.from(wholeOrBroken(bytes, sizeBytes), { objectMode: false, highWaterMark: 256 * 1024 }),
  );
}

/** Fails rather than end early: a transfer is complete and right, or it breaks off. */
async function* wholeOrBroken(
  stream: ReadableStream<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sentBytes = 0;
  for await (const chunk of stream) {
    sentBytes += chunk.byteLength;
    if (sentBytes > sizeBytes) break;
    yield chunk;
  }
  if (sentBytes !== sizeBytes) throw new Error(`a stored object gave ${sentBytes} bytes of ${sizeBytes}`);
}
