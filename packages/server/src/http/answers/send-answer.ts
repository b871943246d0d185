import type { FastifyReply } from 'fastify';
import type { Answer } from './answer.ts';
import { dataHeaders, uploadedBytesHeaders } from './security-headers.ts';
import { sendContent } from './send-content.ts';
import { sendPieces } from './send-pieces.ts';

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
