import type { IncomingMessage } from 'node:http';
import { type Actor, type ErrorCode, WorkspaceError } from '@stoa/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { redactUrl } from '../logging/logger.ts';
import { recordActing } from '../service/auditing/origin.ts';
import type { FollowedRequest, Traces } from '../tracing/traces.ts';
import type { HttpDeps } from './http-deps.ts';
import { originForm } from './request/file-target.ts';
import { header } from './request/headers.ts';

/** Facts that were learnt about a request while it was served. */
export interface RequestRecord {
  readonly actor: Actor | null;
  readonly failure: unknown;
}

interface OpenRecord {
  actor: Actor | null;
  failure: unknown;
  /** A request is over when its handler and its connection are both done with it, in either order. */
  handled: boolean;
  closed: boolean;
  whenOver: ((record: RequestRecord) => void) | null;
}

/** Stored on the request itself, because a weak map would cost the garbage collector more than all the rest. */
const openedRecord = Symbol('record');

interface Recorded extends IncomingMessage {
  [openedRecord]?: OpenRecord;
}

/** Keeps a record of the request, and passes it to `whenOver` once. */
function openRecord(request: IncomingMessage, whenOver: (record: RequestRecord) => void): void {
  recordOf(request).whenOver = whenOver;
}

export function recordActor(request: IncomingMessage, actor: Actor): void {
  recordOf(request).actor = actor;
  recordActing(actor);
}

export function recordFailure(request: IncomingMessage, failure: unknown): void {
  recordOf(request).failure = failure;
}

export function recordHandled(request: IncomingMessage): void {
  const record = recordOf(request);
  record.handled = true;
  settle(record);
}

function recordClosed(request: IncomingMessage): void {
  const record = recordOf(request);
  record.closed = true;
  settle(record);
}

function settle(record: OpenRecord): void {
  if (!record.handled || !record.closed) return;
  record.whenOver?.(record);
  record.whenOver = null;
}

function recordOf(request: Recorded): OpenRecord {
  request[openedRecord] ??= { actor: null, failure: null, handled: false, closed: false, whenOver: null };
  return request[openedRecord];
}

/**
 * Logs and counts a request when it is over, even if its client went away. `goOn` serves the request; operations that
 * begin inside it belong to its trace.
 */
export function requestRecorder({
  logger,
  metrics,
  traces,
}: Pick<HttpDeps, 'logger' | 'metrics' | 'traces'>): (
  request: FastifyRequest,
  reply: FastifyReply,
  goOn: () => void,
) => void {
  return (request, reply, goOn) => {
    const startedAt = performance.now();
    metrics?.requestBegan();
    const followed = traces === null ? null : follow(traces, request);
    openRecord(request.raw, (found) =>
      record(request, reply, performance.now() - startedAt, found, followed),
    );
    reply.raw.on('close', () => recordClosed(request.raw));
    if (followed === null) goOn();
    else followed.within(goOn);
  };

  function record(
    request: FastifyRequest,
    reply: FastifyReply,
    durationMs: number,
    found: RequestRecord,
    followed: FollowedRequest | null,
  ): void {
    const { raw } = request;
    const route = request.routeOptions.url ?? 'none';
    const status = reply.raw.statusCode;
    metrics?.observeRequest({ method: raw.method ?? '', route, status, durationSeconds: durationMs / 1000 });
    const { actor, failure } = found;
    const isAborted = !reply.raw.writableFinished;
    const error = failure instanceof WorkspaceError ? failure.code : null;
    const isFailure = isFault(failure);
    followed?.over({ status, errorCode: error, isFault: isFailure, isAborted });
    if (!isFailure && !logger.isLevelEnabled('info')) return;
    const entry = {
      requestId: request.id,
      method: raw.method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      ...(actor === null ? {} : { userId: actor.userId, keyId: actor.keyId }),
      ...(isAborted ? { aborted: true } : {}),
      ...(followed === null ? {} : { traceId: followed.traceId }),
      ...(logger.isLevelEnabled('debug')
        ? { url: redactUrl(originForm(request.originalUrl)), address: request.ip }
        : {}),
    };
    if (isFailure) logger.error({ ...entry, err: failure }, 'request failed');
    else if (error !== null) logger.info({ ...entry, refusal: error }, 'request refused');
    else logger.info(entry, 'request');
  }
}

function follow(traces: Traces, request: FastifyRequest): FollowedRequest | null {
  return traces.requestBegan({
    id: request.id,
    method: request.raw.method ?? '',
    route: request.routeOptions.url ?? null,
    // A proxy may have sent anything.
    scheme: request.protocol === 'https' ? 'https' : 'http',
    traceParent: header(request.raw, 'traceparent'),
  });
}

const storageFaults: ReadonlySet<ErrorCode> = new Set([
  'stored_bytes_missing',
  'storage_full',
  'storage_refused',
]);

/** A fault concerns the operator; a rejection concerns the caller only. */
function isFault(failure: unknown): boolean {
  if (failure === null) return false;
  if (!(failure instanceof WorkspaceError)) return true;
  return storageFaults.has(failure.code);
}
