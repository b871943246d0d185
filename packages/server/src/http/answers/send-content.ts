import type { FastifyReply } from 'fastify';
import { isUnusableAfter } from '../listener/is-unusable-after.ts';
import { noteFailure } from '../request-record.ts';
import type { Content } from './answer.ts';
import { ClientGone } from './client-gone.ts';
import { sendStream } from './send-stream.ts';

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
  if (isUnusableAfter(reply)) reply.header('connection', 'close');
  // From here on the framework leaves the response alone: it would not say when a buffer may be used again.
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(reply.statusCode);
  sendStream(raw, bytes, sizeBytes).catch((error: unknown) => {
    if (!(error instanceof ClientGone)) noteFailure(reply.request.raw, error);
    // A transfer is complete and right, or it breaks off.
    raw.destroy();
  });
}
