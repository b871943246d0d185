// docs/decisions/0016-user-bytes-on-our-origin.md
// docs/decisions/0097-whole-answers-are-written-past-the-reply.md

import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { isUnusableAfter } from '../request/read-body.ts';
import { noteFailure } from '../request-record.ts';
import { answersTogether } from './answers-together.ts';
import { sendBytePieces, sendPieces } from './send-pieces.ts';
import { ClientGone, sendStream } from './send-stream.ts';

export type Headers = Readonly<Record<string, string | number>>;

/** On every answer that is not a file's bytes or a page. */
export const dataHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** On bytes that people uploaded: shown nowhere with the rights of this server's own pages. */
export const uploadedBytesHeaders: Headers = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const oneYearSeconds = 31_536_000;

/** Only said over https: browsers ignore it elsewhere. */
export function transportHeaders(baseUrl: string): Headers {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${oneYearSeconds}` } : {};
}

/** A version, in the header to rely on and as a tag in the form that caches know. */
export function versionHeaders(version: number) {
  return { 'x-service-version': String(version), etag: `"${version}"` };
}

/** What an operation answers, before it becomes bytes on a connection. */
export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly headers?: Headers }
  | { readonly kind: 'empty'; readonly status: 204 | 304; readonly headers?: Headers }
  | {
      readonly kind: 'bytes';
      readonly status: 200 | 206;
      readonly headers: Headers;
      readonly content: Content;
    }
  /** Bytes of which nobody knows before how many there will be. They are asked for at the client's pace. */
  | { readonly kind: 'byte-pieces'; readonly headers: Headers; readonly pieces: AsyncGenerator<Uint8Array> }
  /** JSON that is produced piece by piece; `produce` is held up while the client does not read. */
  | { readonly kind: 'json-pieces'; readonly produce: (write: WritePiece) => Promise<void> };

export interface Content {
  readonly sizeBytes: number;
  /** Null for an answer to HEAD: the bytes are not even opened. */
  readonly open: (() => Promise<Uint8Array | ReadableStream<Uint8Array>>) | null;
}

export type WritePiece = (text: string) => Promise<void>;

export function json(status: number, body: unknown, headers?: Headers): Answer {
  return headers === undefined ? { kind: 'json', status, body } : { kind: 'json', status, body, headers };
}

const jsonHeaders: Headers = { ...dataHeaders, 'content-type': 'application/json; charset=utf-8' };

/**
 * Sends an answer. Resolves once it was handed over, which for bytes and pieces is before they have all gone out.
 * @param beforeSending is called when nothing can be refused any more and nothing was sent.
 * @throws what `open` or `produce` throws before anything was sent; later failures break the transfer instead.
 */
export async function sendAnswer(
  reply: FastifyReply,
  answer: Answer,
  beforeSending = () => {},
): Promise<void> {
  switch (answer.kind) {
    case 'json':
      if (isRead(reply)) await answersTogether();
      beforeSending();
      sendWhole(reply, answer.status, { ...jsonHeaders, ...answer.headers }, JSON.stringify(answer.body));
      return;
    case 'empty':
      if (isRead(reply)) await answersTogether();
      beforeSending();
      reply.code(answer.status).headers(dataHeaders);
      if (answer.headers !== undefined) reply.headers(answer.headers);
      reply.send();
      return;
    case 'bytes':
      await sendContent(reply, answer, beforeSending);
      return;
    case 'byte-pieces':
      await sendBytePieces(reply, answer.pieces, () => {
        beforeSending();
        reply.code(200).headers(uploadedBytesHeaders).headers(answer.headers);
      });
      return;
    case 'json-pieces':
      await sendPieces(reply, answer.produce, () => {
        beforeSending();
        reply.code(200).headers(jsonHeaders);
      });
      return;
  }
}

/** An answer of a write goes at once: who has it may be the one whose next write shares a commit with those that wait. */
function isRead({ request }: FastifyReply): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Sends stored bytes. They are opened before `begin` is called, so that missing bytes can still be a refusal. */
async function sendContent(
  reply: FastifyReply,
  { status, headers, content }: Extract<Answer, { readonly kind: 'bytes' }>,
  begin: () => void,
): Promise<void> {
  const { sizeBytes, open } = content;
  if (open === null) {
    begin();
    reply.code(status).headers(uploadedBytesHeaders).headers(headers);
    reply.header('content-length', sizeBytes).send();
    return;
  }
  const bytes = await open();
  if (bytes instanceof Uint8Array) {
    await answersTogether();
    begin();
    sendWhole(reply, status, { ...uploadedBytesHeaders, ...headers }, bytes);
    return;
  }
  begin();
  reply.code(status).headers(uploadedBytesHeaders).headers(headers).header('content-length', sizeBytes);
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

/**
 * Sends what is at hand as a whole. It is written past the framework's reply, which would look at each header by itself before
 * Node does, and ask which hooks and serializers there are.
 */
function sendWhole(reply: FastifyReply, status: number, headers: Headers, body: string | Uint8Array): void {
  const { raw } = reply;
  // None of the reply's own is undefined, though its type says so.
  const own = reply.getHeaders() as OutgoingHttpHeaders;
  const whole: OutgoingHttpHeaders = { ...own, ...headers, 'content-length': Buffer.byteLength(body) };
  raw.writeHead(status, isUnusableAfter(reply) ? { ...whole, connection: 'close' } : whole);
  raw.end(body);
}
