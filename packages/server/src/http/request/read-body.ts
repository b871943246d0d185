import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { WorkspaceError } from '@stoa/core';
import type { FastifyReply } from 'fastify';

/** How slowly a body may arrive. There is no limit on the whole: a large file over a slow line is fine. */
export interface BodyPace {
  /** The longest silence, in milliseconds. */
  readonly idleMs: number;
  /** Bytes a second, on average over the time spent waiting, once `graceMs` of waiting have passed. */
  readonly minimumBytesPerSecond: number;
  readonly graceMs: number;
}

export const bodyPace: BodyPace = { idleMs: 30_000, minimumBytesPerSecond: 1024, graceMs: 60_000 };

export function isTooSlow(pace: BodyPace, receivedBytes: number, waitedMs: number): boolean {
  return waitedMs > pace.graceMs && receivedBytes < (pace.minimumBytesPerSecond * waitedMs) / 1000;
}

/**
 * A request's body, chunk by chunk. Nothing is read ahead of the consumer beyond the stream's own buffer, and leaving the
 * loop early leaves the connection as it is, so that an answer can still be sent.
 *
 * @throws WorkspaceError `upload_interrupted` when the client goes away, falls silent or is too slow.
 */
export async function* readBody(
  request: IncomingMessage,
  response: ServerResponse,
  pace: BodyPace,
): AsyncGenerator<Uint8Array, void, undefined> {
  continueIfAwaited(request, response);
  // A connection that breaks between two chunks must not become an unhandled error: the next read finds out.
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

/** Resolves when there is something to read, the body ended or failed, or `idleMs` have passed without any of it. */
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
 * Leaves it to the request's handler when a client that sent `Expect: 100-continue` is told to go on: after the refusals
 * that need no body, so that a refused upload is never sent.
 */
export function answerContinueLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaiting.add(request);
    server.emit('request', request, response);
  });
}

/** Call before the body is first read. */
export function continueIfAwaited(request: IncomingMessage, response: ServerResponse): void {
  if (awaiting.delete(request)) response.writeContinue();
}

/** True while the client holds its body back. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return awaiting.has(request);
}

/**
 * Whether the connection has to be closed after this answer: when the server is stopping, and when a body was never asked
 * for. Its sender may still send it, and it would be taken for the next request.
 */
export function isUnusableAfter(reply: FastifyReply): boolean {
  return !reply.server.server.listening || awaitsContinue(reply.request.raw);
}
