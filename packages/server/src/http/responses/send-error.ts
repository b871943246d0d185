import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { errorBodyOf, errorResponse } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { FastifyReply } from 'fastify';
import { declaredBytes } from '../request/headers.ts';
import { awaitsContinue } from '../request/read-body.ts';
import { dataHeaders, type Headers } from './response.ts';

/** Up to this size an unread body is read to its end instead, which keeps the connection usable. */
const unreadBytesMax = 64 * 1024;

/** Sends the response to a failed request: the error's own status and text, or 500 without details. */
export function sendError(
  request: IncomingMessage,
  reply: FastifyReply,
  error: unknown,
  requestId: string,
): void {
  // A client that stopped sending may continue, and those bytes are not the next request.
  if (error instanceof WorkspaceError && error.code === 'upload_interrupted')
    reply.header('connection', 'close');
  sendRejectedWhole(
    request,
    reply,
    error instanceof WorkspaceError ? errorResponse(error) : unexpectedResponse(requestId),
  );
}

/** Sends an error's JSON, and handles the unread part of the request's body. */
export function sendRejectedWhole(
  request: IncomingMessage,
  reply: FastifyReply,
  error: { readonly status: number; readonly headers: Headers; readonly body: unknown },
): void {
  const text = Buffer.from(JSON.stringify(error.body));
  reply
    .code(error.status)
    .headers(dataHeaders)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...error.headers })
    .header('content-length', text.length);
  if (leavesMuchUnread(request)) {
    reply.header('connection', 'close').send(lingeringResponse(request, text, lingerBounds));
  } else {
    reply.send(text);
  }
}

function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed || awaitsContinue(request)) return false;
  const bytes = declaredBytes(request);
  return bytes === null || bytes > unreadBytesMax;
}

function unexpectedResponse(requestId: string) {
  const text = `Something went wrong on the server; the operator finds it in the log under request ${requestId}`;
  return { status: 500, headers: {}, body: errorBodyOf(500, text) };
}

/** Bounds for discarding the rest of a rejected body, so that its sender can read the response. */
export interface LingerBounds {
  readonly bytes: number;
  readonly milliseconds: number;
}

const lingerBounds: LingerBounds = { bytes: 256 * 1024 * 1024, milliseconds: 20_000 };

/**
 * A response that is sent at once and ends after the rest of the request's body was discarded. Closing a connection
 * with unread bytes resets it, and many clients then report the reset instead of the response. The response needs its
 * `Content-Length`, so that a client knows that it is complete before the connection closes.
 */
function lingeringResponse(request: IncomingMessage, body: Buffer, bounds: LingerBounds): Readable {
  return Readable.from(respondThenDiscard(request, body, bounds), { objectMode: false });
}

async function* respondThenDiscard(
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
