// docs/decisions/0012-share-links-and-stored-bytes.md
// docs/decisions/0010-fastify-and-raw-paths.md

import type { OutgoingHttpHeaders } from 'node:http';
import { inlineBytesMax } from '@stoa/core';
import type { FastifyReply } from 'fastify';
import type { RequestPermit } from '../permits/request-permits.ts';
import { isUnusableAfter } from '../request/read-body.ts';
import { recordFailure } from '../request-record.ts';
import { responsesTogether } from './responses-together.ts';
import { sendByteChunks, sendChunks } from './send-chunks.ts';
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
export type HttpResponse =
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
  | { readonly kind: 'byte-pieces'; readonly headers: Headers; readonly chunks: AsyncGenerator<Uint8Array> }
  /**
   * JSON that is produced in chunks. Chunks that the client does not read soon go to the disk, so that `produce`
   * ends.
   */
  | { readonly kind: 'json-pieces'; readonly produce: (write: WriteChunk) => Promise<void> };

export interface Content {
  readonly sizeBytes: number;
  /** Null for a response to HEAD, which does not open the bytes. */
  readonly open: (() => Promise<Uint8Array | ReadableStream<Uint8Array>>) | null;
}

export type WriteChunk = (text: string) => Promise<void>;

export function json(status: number, body: unknown, headers?: Headers): HttpResponse {
  return headers === undefined ? { kind: 'json', status, body } : { kind: 'json', status, body, headers };
}

export function constantJson(body: unknown): HttpResponse {
  return { kind: 'constant', bytes: Buffer.from(JSON.stringify(body)) };
}

const jsonHeaders: Headers = { ...dataHeaders, 'content-type': 'application/json; charset=utf-8' };

/**
 * Sends a response. Resolves when it was handed over, which for bytes and chunks is before all of them were sent.
 * @param turn the request's permits: a response that is sent at the client's pace acquires one
 * @param beforeSending called before the first byte is sent, when an error can no longer be reported
 * @throws errors of `open` or `produce` before anything was sent; later failures break the transfer instead
 */
export async function sendResponse(
  reply: FastifyReply,
  response: HttpResponse,
  round: RequestPermit,
  beforeSending = () => {},
): Promise<void> {
  switch (response.kind) {
    case 'json':
      if (isRead(reply)) await responsesTogether();
      beforeSending();
      sendWhole(
        reply,
        response.status,
        { ...jsonHeaders, ...response.headers },
        JSON.stringify(response.body),
      );
      return;
    case 'constant':
      if (isRead(reply)) await responsesTogether();
      beforeSending();
      sendWhole(reply, 200, jsonHeaders, response.bytes);
      return;
    case 'empty':
      if (isRead(reply)) await responsesTogether();
      beforeSending();
      reply.code(response.status).headers(dataHeaders);
      if (response.headers !== undefined) reply.headers(response.headers);
      reply.send();
      return;
    case 'bytes':
      if (response.content.open !== null && response.content.sizeBytes > inlineBytesMax)
        await round.transfer();
      await sendContent(reply, response, beforeSending);
      return;
    case 'byte-pieces':
      await round.transfer();
      await sendByteChunks(reply, response.chunks, () => {
        beforeSending();
        reply.code(200).headers(uploadedBytesHeaders).headers(response.headers);
      });
      return;
    case 'json-pieces':
      await round.transfer();
      await sendChunks(
        reply,
        (write) => round.during(() => response.produce(write)),
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
  { status, headers, content }: Extract<HttpResponse, { readonly kind: 'bytes' }>,
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
    await responsesTogether();
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
    if (!(error instanceof ClientGone)) recordFailure(reply.request.raw, error);
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
