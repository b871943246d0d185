import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import type { FastifyReply } from 'fastify';
import { type BodyPace, bodyPace, isTooSlow } from '../../concurrency/pace.ts';

export { type BodyPace, bodyPace, isTooSlow };

/**
 * Rejects a body whose headers declare a part of the content, or compressed content. The server stores and parses bytes
 * as they arrive (interface: README, Conventions).
 * @throws WorkspaceError `unsupported_content_coding`, `unsupported_transfer_coding`, `invalid_request`
 */
export function requirePlainBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers['content-range'] !== undefined) {
    throw invalidRequest('Content-Range is not supported on a request: send the whole content');
  }
  const codings = (headers['content-encoding'] ?? 'identity').toLowerCase().split(',');
  if (codings.some((coding) => coding.trim() !== 'identity')) {
    throw new WorkspaceError('unsupported_content_coding');
  }
  if ((headers['transfer-encoding'] ?? 'chunked').trim().toLowerCase() !== 'chunked') {
    throw new WorkspaceError('unsupported_transfer_coding');
  }
}

/**
 * Yields a request's body in chunks. It reads no further ahead than the stream's own buffer. Leaving the loop early
 * keeps the connection open, so that a response can still be sent.
 *
 * @throws WorkspaceError `upload_interrupted` if the client goes away, falls silent or is too slow; those of
 * `requirePlainBody` before the client is asked to send
 */
export async function* readBody(
  request: IncomingMessage,
  response: ServerResponse,
  pace: BodyPace,
): AsyncGenerator<Uint8Array, void, undefined> {
  requirePlainBody(request);
  continueIfAwaited(request, response);
  // A connection that breaks between two chunks must not become an unhandled error. The next read notices it.
  request.on('error', ignoreBreak);
  let receivedBytes = 0;
  let waitedMs = 0;
  for (;;) {
    const chunk: Buffer | null = request.read();
    if (chunk !== null) {
      receivedBytes += chunk.length;
      yield chunk;
      continue;
    }
    if (request.readableEnded || request.complete) break;
    if (request.destroyed) throw interrupted('The connection was closed before the whole body had arrived');
    const waitedFrom = performance.now();
    if ((await nextEvent(request, pace.idleMs)) === 'silence') throw interrupted('The body stopped arriving');
    waitedMs += performance.now() - waitedFrom;
    if (isTooSlow(pace, receivedBytes, waitedMs)) throw interrupted('The body arrived too slowly');
  }
}

/** Resolves when there is data, the body ended or failed, or `idleMs` passed without progress. */
function nextEvent(request: IncomingMessage, idleMs: number): Promise<'progress' | 'silence'> {
  return new Promise((resolve) => {
    const settle = (outcome: 'progress' | 'silence') => {
      clearTimeout(timer);
      request.off('readable', progress).off('end', progress).off('error', progress).off('close', progress);
      resolve(outcome);
    };
    const progress = () => settle('progress');
    const timer = setTimeout(() => settle('silence'), idleMs);
    request.on('readable', progress).on('end', progress).on('error', progress).on('close', progress);
  });
}

function ignoreBreak(): void {}

function interrupted(reason: string): WorkspaceError {
  return new WorkspaceError('upload_interrupted', {}, reason);
}

const awaiting = new WeakSet<IncomingMessage>();

/**
 * Leaves the response to `Expect: 100-continue` to the request's handler. It continues after the checks that need no
 * body, so that a client never sends an upload that is rejected.
 */
export function handleContinueLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaiting.add(request);
    server.emit('request', request, response);
  });
}

/** Call it before the first read of the body. */
export function continueIfAwaited(request: IncomingMessage, response: ServerResponse): void {
  if (awaiting.delete(request)) response.writeContinue();
}

/** Whether the client still waits for `100 Continue`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return awaiting.has(request);
}

/**
 * Whether the connection must be closed after this response: when the server is stopping, and when the body was never
 * requested. Its sender may still send it, and it would be read as the next request.
 */
export function isUnusableAfter(reply: FastifyReply): boolean {
  return !reply.server.server.listening || awaitsContinue(reply.request.raw);
}
