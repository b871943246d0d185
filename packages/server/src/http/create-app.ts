// docs/decisions/0076-fastify-stays.md
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { MetadataStore } from '../service/ports/metadata-store.ts';
import { transportHeaders } from './answers/answer.ts';
import { sendRefusal } from './answers/send-refusal.ts';
import { mountDownload } from './download/mount-download.ts';
import type { HttpDeps } from './http-deps.ts';
import { answerClientError } from './listener/answer-client-error.ts';
import { servedBehindChanges } from './listener/behind-changes.ts';
import { readAnewForRequests } from './listener/read-anew.ts';
import { mountMcp } from './mcp/mount-mcp.ts';
import { mountAuth } from './mount-auth.ts';
import { mountOperations } from './operation.ts';
import { mountShares } from './pages/share/mount-shares.ts';
import { hostChecker, hostNamesOf } from './request/cross-site.ts';
import { routableTarget } from './request/file-target.ts';
import { answerContinueLate, isUnusableAfter } from './request/read-body.ts';
import { noteFailure, noteHandled, requestRecorder } from './request-record.ts';
import { operations } from './routes/operations.ts';
import { mountWebApp, sendDocument, wantsDocument } from './web-app/mount-web-app.ts';

/** How long the headers of a request may take to arrive. A body may take longer: it has a pace instead of a total. */
const headersTimeoutMs = 30_000;
/** A connection on which nothing moves at all. Longer than a feed request may be held. */
const silentConnectionMs = 120_000;
const parameterMaxCharacters = 1024;

/** The REST interface and the web app as a server that does not listen yet. */
export function createApp(deps: HttpDeps): FastifyInstance {
  const record = requestRecorder(deps);
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
    // No route describes its bodies to the framework. Without these it loads two compilers for those that do.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // A request that was accepted is answered, also while the server shuts down.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    connectionTimeout: silentConnectionMs,
    requestTimeout: 0,
    // A request that has no body is no stream that would have to be read to its end, and closed, before the next.
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 5_000,
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    frameworkErrors: (_error, request, reply) => {
      // Fastify's own types for this one call leave out the defaults that every other reply has.
      const plainReply = reply as unknown as FastifyReply;
      const plainRequest = request as unknown as FastifyRequest;
      const refusal = invalidRequest('The address is not validly percent-encoded');
      record(plainRequest, plainReply, () => refuse(plainRequest, plainReply, refusal));
    },
  });
  // Bodies are read by the operations that take one, after the refusals that come before it: see `readBody`.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  answerContinueLate(app.server);
  app.addHook('onRequest', servedBehindChanges(deps.service.store));
  app.addHook('onRequest', record);
  addTransportHeaders(app, deps.baseUrl);
  refuseForeignHosts(app, deps);
  closeUnusableConnections(app);
  mountOperations(app, deps, Object.values(operations));
  mountAuth(app, deps);
  mountWebApp(app, deps);
  mountDownload(app, deps);
  mountShares(app, deps);
  mountMcp(app, deps);
  app.setNotFoundHandler((request, reply) => {
    if (!wantsDocument(request)) return refuse(request, reply, new WorkspaceError('route_not_found'));
    sendDocument(deps, reply, 404);
    noteHandled(request.raw);
  });
  app.setErrorHandler((error, request, reply) => refuse(request, reply, refusalOf(error)));
  return app;
}

/**
 * The first that the framework calls for a request, also on its second server: `localhost` has two addresses.
 * @returns what gives the target that is routed.
 */
export function beginRequest(store: Pick<MetadataStore, 'readAnew'>): (request: IncomingMessage) => string {
  const readAnew = readAnewForRequests(store);
  return (request) => {
    readAnew(request);
    return routableTarget(request.url ?? '/');
  };
}

function noCompiler(): never {
  throw new Error('a route has a schema: bodies are checked by their operations');
}

/** A request that the framework itself refuses is the sender's fault: nothing to look into. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof WorkspaceError || !('statusCode' in error)) return error;
  const status = Number(error.statusCode);
  if (status === 413) return new WorkspaceError('request_too_large');
  if (status === 415) return new WorkspaceError('unsupported_media_type');
  return status >= 400 && status < 500 ? invalidRequest('The request is not valid HTTP') : error;
}

function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  noteFailure(request.raw, error);
  sendRefusal(request.raw, reply, error, request.id);
  noteHandled(request.raw);
}

function addTransportHeaders(app: FastifyInstance, baseUrl: string): void {
  const headers = transportHeaders(baseUrl);
  if (Object.keys(headers).length === 0) return;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

function refuseForeignHosts(app: FastifyInstance, deps: HttpDeps): void {
  const { baseUrl, appUrl, contentUrl, trustedOrigins, allowedHosts } = deps;
  const addresses = [baseUrl, appUrl, ...trustedOrigins, ...(contentUrl === null ? [] : [contentUrl])];
  const checkHost = hostChecker(hostNamesOf(addresses, allowedHosts));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const refusal = checkHost(raw);
    if (refusal === null) done();
    else done(refusal);
  });
}

function closeUnusableConnections(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isUnusableAfter(reply)) reply.header('connection', 'close');
    done();
  });
}

/** Unique across restarts, and short enough to read out. */
function requestIds(): () => string {
  const start = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
