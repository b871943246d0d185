import type { FastifyReply } from 'fastify';
import { awaitsContinue } from './expect-continue.ts';

/**
 * Whether the connection has to be closed after this answer: when the server is stopping, and when a body was never asked
 * for. Its sender may still send it, and it would be taken for the next request.
 */
export function isUnusableAfter(reply: FastifyReply): boolean {
  return !reply.server.server.listening || awaitsContinue(reply.request.raw);
}
