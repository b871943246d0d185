import type { FastifyReply } from 'fastify';
import { isUnusableAfter } from '../listener/expect-continue.ts';
import { noteFailure } from '../request-record.ts';
import { type Answer, type Content, dataHeaders, uploadedBytesHeaders } from './answer.ts';
import { sendPieces } from './send-pieces.ts';
import { ClientGone, sendStream } from './send-stream.ts';

const jsonType = 'application/json; charset=utf-8';

/**
 * Sends an answer. Resolves once it was handed over, which for bytes and pieces is before they have all gone out.
 * @throws what `open` or `produce` throws before anything was sent; later failures break the transfer instead.
 */
export async function sendAnswer(reply: FastifyReply, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'json':
      reply.code(answer.status).headers(dataHeaders).header('content-type', jsonType);
      if (answer.headers !== undefined) reply.headers(answer.headers);
      reply.send(JSON.stringify(answer.body));
      return;
    case 'empty':
      reply.code(answer.status).headers(dataHeaders);
      if (answer.headers !== undefined) reply.headers(answer.headers);
      reply.send();
      return;
    case 'bytes':
      await sendContent(reply, answer.content, () =>
        reply.code(answer.status).headers(uploadedBytesHeaders).headers(answer.headers),
      );
      return;
    case 'json-pieces':
      await sendPieces(reply, answer.produce, () =>
        reply.code(200).headers(dataHeaders).header('content-type', jsonType),
      );
      return;
  }
}

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
