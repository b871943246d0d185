import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

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
