// docs/decisions/0012-share-links-and-stored-bytes.md
// docs/decisions/0010-fastify-and-raw-paths.md

import type { OutgoingHttpHeaders } from 'node:http';
import { inlineBytesMax } from '@stoa/core';
import type { FastifyReply } from 'fastify';
import { isUnusableAfter } from '../request/read-body.ts';
import { noteFailure } from '../request-record.ts';
import type { RequestTurn } from '../turns/request-turns.ts';
import { answersTogether } from './answers-together.ts';
import { sendBytePieces, sendPieces } from './send-pieces.ts';
import { ClientGone, sendStream } from './send-stream.ts';

export type Headers = Readonly<Record<string, string | number>>;

/** Headers of every response that is not a file's bytes or a page. */
export const dataHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Headers of bytes that users uploaded. They never run with the rights of this server's own pages. */
export const uploadedBytesHeaders: Headers = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const oneYearSeconds = 31_536_000;

/** Sent over https only, because browsers ignore it elsewhere. */
export function transportHeaders(baseUrl: string): Headers {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${oneYearSeconds}` } : {};
}

/** A version, both as our own header and as an entity tag for caches. */
export function versionHeaders(version: number) {
  return { 'x-service-version': String(version), etag: `"${version}"` };
}

/** The result of an operation, before it becomes bytes on a connection. */
export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly headers?: Headers }
  /** JSON that never changes. `constantJson` makes its bytes once. */
  | { readonly kind: 'constant'; readonly bytes: Uint8Array }
  | { readonly kind: 'empty'; readonly status: 204 | 304; readonly headers?: Headers }
  | {
      readonly kind: 'bytes';
      readonly status: 200 | 206;
      readonly headers: Headers;
      readonly content: Content;
    }
  /** Bytes of unknown number, read at the client's pace. */
  | { readonly kind: 'byte-pieces'; readonly headers: Headers; readonly pieces: AsyncGenerator<Uint8Array> }
  /**
   * JSON that is produced in chunks. Chunks that the client does not read soon go to the disk, so that `produce`
   * ends.
   */
  | { readonly kind: 'json-pieces'; readonly produce: (write: WritePiece) => Promise<void> };

export interface Content {
  readonly sizeBytes: number;
  /** Null for a response to HEAD, which does not open the bytes. */
  readonly open: (() => Promise<Uint8Array | ReadableStream<Uint8Array>>) | null;
}

export type WritePiece = (text: string) => Promise<void>;

export function json(status: number, body: unknown, headers?: Headers): Answer {
  return headers === undefined ? { kind: 'json', status, body } : { kind: 'json', status, body, headers };
}

export function constantJson(body: unknown): Answer {
  return { kind: 'constant', bytes: Buffer.from(JSON.stringify(body)) };
}

const jsonHeaders: Headers = { ...dataHeaders, 'content-type': 'application/json; charset=utf-8' };

/**
 * Sends a response. Resolves when it was handed over, which for bytes and chunks is before all of them were sent.
 * @param turn the request's permits: a response that is sent at the client's pace acquires one
 * @param beforeSending called before the first byte is sent, when an error can no longer be reported
 * @throws errors of `open` or `produce` before anything was sent; later failures break the transfer instead
 */
export async function sendAnswer(
  reply: FastifyReply,
  answer: Answer,
  turn: RequestTurn,
  beforeSending = () => {},
): Promise<void> {
  switch (answer.kind) {
    case 'json':
      if (isRead(reply)) await answersTogether();
      beforeSending();
      sendWhole(reply, answer.status, { ...jsonHeaders, ...answer.headers }, JSON.stringify(answer.body));
      return;
    case 'constant':
      if (isRead(reply)) await answersTogether();
      beforeSending();
      sendWhole(reply, 200, jsonHeaders, answer.bytes);
      return;
    case 'empty':
      if (isRead(reply)) await answersTogether();
      beforeSending();
      reply.code(answer.status).headers(dataHeaders);
      if (answer.headers !== undefined) reply.headers(answer.headers);
      reply.send();
      return;
    case 'bytes':
      if (answer.content.open !== null && answer.content.sizeBytes > inlineBytesMax) await turn.transfer();
      await sendContent(reply, answer, beforeSending);
      return;
    case 'byte-pieces':
      await turn.transfer();
      await sendBytePieces(reply, answer.pieces, () => {
        beforeSending();
        reply.code(200).headers(uploadedBytesHeaders).headers(answer.headers);
      });
      return;
    case 'json-pieces':
      await turn.transfer();
      await sendPieces(
        reply,
        (write) => turn.during(() => answer.produce(write)),
        () => {
          beforeSending();
          reply.code(200).headers(jsonHeaders);
        },
      );
      return;
  }
}

/** Responses to writes are sent at once: their client may send the next write of the same commit. */
function isRead({ request }: FastifyReply): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Sends stored bytes. They are opened before `begin` is called, so that missing bytes can still become an error. */
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
  // Take the response from the framework, which would not report when a buffer can be reused.
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(reply.statusCode);
  sendStream(raw, bytes, sizeBytes).catch((error: unknown) => {
    if (!(error instanceof ClientGone)) noteFailure(reply.request.raw, error);
    // Never let an incomplete transfer look complete.
    raw.destroy();
  });
}

/**
 * Sends a response that is complete in memory. It bypasses the framework's reply, which checks each header before
 * Node does and looks for hooks and serializers.
 */
function sendWhole(reply: FastifyReply, status: number, headers: Headers, body: string | Uint8Array): void {
  const { raw } = reply;
  // No header of the reply is undefined, although the type allows it.
  const own = reply.getHeaders() as OutgoingHttpHeaders;
  const whole: OutgoingHttpHeaders = { ...own, ...headers, 'content-length': Buffer.byteLength(body) };
  raw.writeHead(status, isUnusableAfter(reply) ? { ...whole, connection: 'close' } : whole);
  raw.end(body);
}
