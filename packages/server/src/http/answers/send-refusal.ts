import type { IncomingMessage } from 'node:http';
import { errorAnswer, errorBodyOf } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { FastifyReply } from 'fastify';
import { awaitsContinue } from '../listener/expect-continue.ts';
import { declaredBytes } from '../request/declared-bytes.ts';
import { lingerBounds, lingeringAnswer } from './linger.ts';
import { dataHeaders } from './security-headers.ts';

/** Unread bodies up to this size are read to their end instead, which keeps the connection usable. */
const unreadBytesMax = 64 * 1024;

/** Answers a request that failed: with the refusal's own status and text, or with 500 and nothing that was not meant to be told. */
export function sendRefusal(
  request: IncomingMessage,
  reply: FastifyReply,
  error: unknown,
  requestId: string,
): void {
  const { status, headers, body } =
    error instanceof WorkspaceError ? errorAnswer(error) : unexpectedAnswer(requestId);
  const text = Buffer.from(JSON.stringify(body));
  reply
    .code(status)
    .headers(dataHeaders)
    .headers({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': text.length,
    });
  if (leavesMuchUnread(request)) {
    reply.header('connection', 'close').send(lingeringAnswer(request, text, lingerBounds));
  } else {
    reply.send(text);
  }
}

function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed || awaitsContinue(request)) return false;
  const bytes = declaredBytes(request);
  return bytes === null || bytes > unreadBytesMax;
}

function unexpectedAnswer(requestId: string) {
  const text = `Something went wrong on the server; the operator finds it in the log under request ${requestId}`;
  return { status: 500, headers: {}, body: errorBodyOf(500, text) };
}
