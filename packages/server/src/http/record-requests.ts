import { WorkspaceError } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { redactUrl } from '../logging/redact-url.ts';
import type { HttpDeps } from './http-deps.ts';
import { noteClosed, openRecord, type RequestRecord } from './request-record.ts';

/** Logs and counts a request once it is over, also when its client went away. */
export function requestRecorder({
  logger,
  metrics,
}: Pick<HttpDeps, 'logger' | 'metrics'>): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const startedAt = performance.now();
    openRecord(request.raw, (found) => record(request, reply, performance.now() - startedAt, found));
    reply.raw.once('close', () => noteClosed(request.raw));
  };

  function record(
    request: FastifyRequest,
    reply: FastifyReply,
    durationMs: number,
    found: RequestRecord,
  ): void {
    const { raw } = request;
    const route = request.routeOptions.url ?? 'none';
    const status = reply.raw.statusCode;
    metrics?.observeRequest({ method: raw.method ?? '', route, status, durationSeconds: durationMs / 1000 });
    const { actor, failure } = found;
    const entry = {
      requestId: request.id,
      method: raw.method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      ...(actor === null ? {} : { userId: actor.userId, keyId: actor.keyId }),
      ...(reply.raw.writableFinished ? {} : { aborted: true }),
      ...(logger.isLevelEnabled('debug') ? { url: redactUrl(request.originalUrl), address: request.ip } : {}),
    };
    if (isFault(failure)) logger.error({ ...entry, err: failure }, 'request failed');
    else if (failure instanceof WorkspaceError)
      logger.info({ ...entry, refusal: failure.code }, 'request refused');
    else logger.info(entry, 'request');
  }
}

/** A fault is the operator's to look into; a refusal is the caller's to read. */
function isFault(failure: unknown): boolean {
  if (failure === null) return false;
  if (!(failure instanceof WorkspaceError)) return true;
  return failure.code === 'stored_bytes_missing' || failure.code === 'storage_full';
}
