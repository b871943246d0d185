// docs/decisions/0010-fastify-and-raw-paths.md
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { createConnectionQueues } from '../concurrency/connection-queues.ts';
import type { MetadataStore } from '../service/ports/metadata-store.ts';
import { mountDownload } from './download/mount-download.ts';
import type { HttpDeps } from './http-deps.ts';
import { handleClientError } from './listener/handle-client-error.ts';
import { refreshForRequests } from './listener/refresh-reads.ts';
import { mountMcp } from './mcp/mount-mcp.ts';
import { mountAuth } from './mount-auth.ts';
import { mountOperations } from './operation.ts';
import { mountShares } from './pages/share/mount-shares.ts';
import { hostChecker, ownHosts } from './request/cross-site.ts';
import { routableTarget } from './request/file-target.ts';
import { handleContinueLate, isUnusableAfter } from './request/read-body.ts';
import { recordFailure, recordHandled, requestRecorder } from './request-record.ts';
import { transportHeaders } from './responses/response.ts';
import { sendError } from './responses/send-error.ts';
import { operations } from './routes/operations.ts';
import { mountWebApp, sendDocument, wantsDocument } from './web-app/mount-web-app.ts';

/** Time limit for the headers of a request. A body has a minimum pace instead. */
const headersTimeoutMs = 30_000;
/** Timeout of a silent connection. It is longer than a feed request may wait. */
const silentConnectionMs = 120_000;
const parameterMaxCharacters = 1024;

/** Creates the server of the REST interface and the web app, which does not listen yet. */
export function createApp(deps: HttpDeps): FastifyInstance {
  const record = requestRecorder(deps);
  const rounds = createConnectionQueues(() => deps.service.store.refreshReads());
  const app = fastify({
    logger: false,
    genReqId: requestIds(),
    trustProxy: deps.trustProxy.length === 0 ? false : [...deps.trustProxy],
    rewriteUrl: beginRequest(deps.service.store),
    routerOptions: {
      ignoreDuplicateSlashes: false,
      ignoreTrailingSlash: false,
      caseSensitive: true,
      maxParamLength: parameterMaxCharacters,
    },
    exposeHeadRoutes: false,
    // Routes do not describe bodies to the framework. Without these it would load two compilers for them.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // An accepted request gets its response even during shutdown.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    connectionTimeout: silentConnectionMs,
    requestTimeout: 0,
    // Without this, a request without a body is a stream that must be read and closed before the next request.
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 5_000,
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket),
    frameworkErrors: (_error, request, reply) => {
      // Fastify's types for this call omit the defaults of every other reply.
      const plainReply = reply as unknown as FastifyReply;
      const plainRequest = request as unknown as FastifyRequest;
      const error = invalidRequest('The address is not validly percent-encoded');
      rounds.take(plainRequest.raw, plainReply.raw, () =>
        record(plainRequest, plainReply, () => reject(plainRequest, plainReply, error)),
      );
    },
  });
  // Operations read their bodies themselves, after the errors that take precedence: see `readBody`.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  handleContinueLate(app.server);
  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) =>
    rounds.take(request, response, done),
  );
  app.addHook('onClose', async () => rounds[Symbol.dispose]());
  app.addHook('onRequest', record);
  addTransportHeaders(app, deps.baseUrl);
  rejectForeignHosts(app, deps);
  closeUnusableConnections(app);
  mountOperations(app, deps, Object.values(operations));
  mountAuth(app, deps);
  mountWebApp(app, deps);
  mountDownload(app, deps);
  mountShares(app, deps);
  mountMcp(app, deps);
  app.setNotFoundHandler((request, reply) => {
    if (!wantsDocument(request)) return reject(request, reply, new WorkspaceError('route_not_found'));
    sendDocument(deps, reply, 404);
    recordHandled(request.raw);
  });
  app.setErrorHandler((error, request, reply) => reject(request, reply, errorOf(error)));
  return app;
}

/**
 * Runs first for each request, also on the framework's second server: `localhost` has two addresses.
 * @returns a function that returns the target to route
 */
export function beginRequest(
  store: Pick<MetadataStore, 'refreshReads'>,
): (request: IncomingMessage) => string {
  const refresh = refreshForRequests(store);
  return (request) => {
    refresh(request);
    return routableTarget(request.url ?? '/');
  };
}

function noCompiler(): never {
  throw new Error('a route has a schema: bodies are checked by their operations');
}

/** The framework rejects a request because of its sender, so this is not a server error. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof WorkspaceError || !('statusCode' in error)) return error;
  const status = Number(error.statusCode);
  if (status === 413) return new WorkspaceError('request_too_large');
  if (status === 415) return new WorkspaceError('unsupported_media_type');
  return status >= 400 && status < 500 ? invalidRequest('The request is not valid HTTP') : error;
}

function reject(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  recordFailure(request.raw, error);
  sendError(request.raw, reply, error, request.id);
  recordHandled(request.raw);
}

function addTransportHeaders(app: FastifyInstance, baseUrl: string): void {
  const headers = transportHeaders(baseUrl);
  if (Object.keys(headers).length === 0) return;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

function rejectForeignHosts(app: FastifyInstance, deps: HttpDeps): void {
  const checkHost = hostChecker(ownHosts(deps));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const error = checkHost(raw);
    if (error === null) done();
    else done(error);
  });
}

function closeUnusableConnections(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isUnusableAfter(reply)) reply.header('connection', 'close');
    done();
  });
}

/** Request ids are unique across restarts and short enough to read aloud. */
function requestIds(): () => string {
  const start = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
