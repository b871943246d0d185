import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  jsonBodyMaxBytes,
  needOf,
  parseRequest,
  type RouteBody,
  type RouteDescriptor,
  type RouteId,
  type RouteMethod,
  type RouteParam,
  type RouteQuery,
} from '@stoa/contract';
import { parseUrlPath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../service/access.ts';
import { actingFrom } from '../service/auditing/origin.ts';
import { hashApiKey } from '../service/keys/api-key-secret.ts';
import { addressBucket } from '../service/people/address-bucket.ts';
import type { HttpDeps } from './http-deps.ts';
import type { RequestPermit } from './permits/request-permits.ts';
import { routeCosts } from './permits/route-costs.ts';
import { rejectCrossSiteChange } from './request/cross-site.ts';
import { pathPlaceholder, rawFilePath } from './request/file-target.ts';
import { hasBody, header } from './request/headers.ts';
import { notJson, readJsonBody, smallJsonBytes, withLargeJson } from './request/read-json-body.ts';
import { recordActor, recordFailure, recordHandled } from './request-record.ts';
import { type HttpResponse, sendResponse } from './responses/response.ts';
import { sendError } from './responses/send-error.ts';

/** A request of a route as its handler sees it: the caller, and the input that the contract's schemas parsed. */
export type OperationRequest<Route extends RouteDescriptor> = {
  readonly deps: HttpDeps;
  readonly params: Readonly<Record<RouteParam<Route['path']>, string>>;
  readonly query: RouteQuery<Route>;
  readonly body: RouteBody<Route>;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  /** Trusted proxies are already accounted for. */
  readonly clientAddress: string;
  readonly permit: RequestPermit;
} & AccessOf<Route> &
  (Route extends { readonly restOfPath: string } ? { readonly path: WorkspacePath } : unknown);

type AccessOf<Route extends RouteDescriptor> = Route['access'] extends 'none'
  ? unknown
  : Route['access'] extends 'workspace' | 'workspace-session'
    ? { readonly caller: Caller; readonly access: WorkspaceAccess }
    : { readonly caller: Caller };

/** A route and its handler. */
export interface Operation {
  readonly route: RouteDescriptor;
  readonly handle: (request: OperationFacts) => HttpResponse | Promise<HttpResponse>;
}

/** Everything known about a request, before the route's type narrows it. */
export interface OperationFacts {
  readonly deps: HttpDeps;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly clientAddress: string;
  /** For a route that waits before it reads. */
  readonly permit: RequestPermit;
  readonly caller: Caller | null;
  readonly access: WorkspaceAccess | null;
  readonly path: WorkspacePath | null;
}

/** Binds a handler to its route, and gives it that route's types. */
export function operation<const Route extends RouteDescriptor>(
  route: Route,
  handle: (request: OperationRequest<Route>) => HttpResponse | Promise<HttpResponse>,
): Operation {
  return {
    route,
    // This route's descriptor produced the facts, so they have the types of that descriptor.
    handle: (facts) => handle(facts as unknown as OperationRequest<Route>),
  };
}

type Params = Readonly<Record<string, string>>;

/** Replaces an id that no database can store, so that it is not found like any unknown id. */
function namedOnes(params: Params): Params {
  if (Object.values(params).every(canBeKept)) return params;
  return Object.fromEntries(Object.entries(params).map(([name, id]) => [name, canBeKept(id) ? id : '']));
}

function canBeKept(id: string): boolean {
  return !id.includes('\0') && id.isWellFormed();
}

/** Checks in the order in which errors take precedence: caller and access, path, query, body. */
export async function serveOperation(
  given: HttpDeps,
  { route, handle }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const raw = request.raw;
  const params = namedOnes(request.params as Params);
  const deps = withPrefetch(given, route, request, params.workspaceId);
  const { caller, access } = await requireAccess(deps, raw, route, params.workspaceId);
  if (caller !== null) recordActor(raw, caller.actor);
  const path = route.restOfPath === undefined ? null : parseUrlPath(rawFilePath(request.originalUrl));
  const query = route.query === undefined ? undefined : parseRequest(route.query, request.query, 'query');
  const body =
    route.body === undefined || route.body === 'bytes'
      ? undefined
      : parseRequest(route.body, await readJson(deps, route, caller, request, reply), 'body');
  const round = deps.permits.of(reply.raw, () => permitKeys(caller, access, request));
  const endRound = routeCosts[route.id as RouteId] === 'costly' ? await round.untilSent() : null;
  const facts: OperationFacts = {
    deps,
    params,
    query,
    body,
    raw,
    response: reply.raw,
    clientAddress: request.ip,
    permit: round,
    caller,
    access,
    path,
  };
  const response = await handle(facts);
  if (!isWhole(response)) endRound?.();
  await sendResponse(reply, response, round);
}

/** The key of a fairness slot: a user in a workspace, or an address. */
function permitKeys(
  caller: Caller | null,
  access: WorkspaceAccess | null,
  { ip }: FastifyRequest,
): readonly string[] {
  if (caller === null) return [addressBucket(ip)];
  return access === null ? [caller.actor.userId] : [caller.actor.userId, access.workspace.id];
}

/** Whether all of the response is in memory. */
function isWhole({ kind }: HttpResponse): boolean {
  return kind === 'json' || kind === 'constant' || kind === 'empty';
}

/** Prefetches the first reads of the route's use case, before any check can fail. */
function withPrefetch(
  deps: HttpDeps,
  { access, id }: RouteDescriptor,
  { raw, originalUrl }: FastifyRequest,
  workspaceId: string | undefined,
): HttpDeps {
  if (access !== 'workspace' || workspaceId === undefined) return deps;
  const { store } = deps.service;
  const prefetched = store.foresee(() => {
    const apiKey = header(raw, 'x-api-key');
    const secretHash = apiKey === null ? null : hashApiKey(apiKey);
    if (secretHash === null) return null;
    const opens = id === 'readFile' && raw.method === 'GET' && header(raw, 'if-none-match') === null;
    return { secretHash, workspaceId, openedPath: opens ? parsedOrNull(rawFilePath(originalUrl)) : null };
  });
  return prefetched === store ? deps : { ...deps, service: { ...deps.service, store: prefetched } };
}

/** An illegal path is rejected later, in the order of checks. */
function parsedOrNull(rawPath: string): WorkspacePath | null {
  try {
    return parseUrlPath(rawPath);
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}

/** Few routes take a large body; public routes take none. */
function readJson(
  { messages }: Pick<HttpDeps, 'messages'>,
  { bodyMaxBytes = jsonBodyMaxBytes }: RouteDescriptor,
  caller: Caller | null,
  { raw: request }: FastifyRequest,
  { raw: response }: FastifyReply,
): Promise<unknown> {
  if (bodyMaxBytes <= smallJsonBytes || caller === null || !hasBody(request)) {
    return readJsonBody(request, response, Math.min(bodyMaxBytes, smallJsonBytes));
  }
  const from = { messages, userId: caller.actor.userId };
  return withLargeJson(from, { request, response }, bodyMaxBytes, async (read) => {
    if (read === null) throw notJson();
    return read.message;
  });
}

interface RequestAccess {
  readonly caller: Caller | null;
  readonly access: WorkspaceAccess | null;
}

const noAccess: RequestAccess = { caller: null, access: null };

/**
 * Returns the caller and checks access to the route (interface: access, Access failures). The key takes precedence
 * over a cookie. A cookie is accepted only from our own pages.
 * @throws WorkspaceError `key_management_needs_session`, `unauthorized`, `invalid_api_key`, `cross_site_request`,
 * `session_required`, then those of `openWorkspace`. A route that needs a session in a workspace rejects a key after
 * those.
 */
async function requireAccess(
  { auth, service, trustedOrigins }: Pick<HttpDeps, 'auth' | 'service' | 'trustedOrigins'>,
  request: IncomingMessage,
  route: Pick<RouteDescriptor, 'access' | 'needs' | 'method'>,
  workspaceId: string | undefined,
): Promise<RequestAccess> {
  const required = route.access;
  if (required === 'none') return noAccess;
  const apiKey = header(request, 'x-api-key');
  if (required === 'keys' && apiKey !== null) throw new WorkspaceError('key_management_needs_session');
  const credentials = { apiKey, cookie: header(request, 'cookie') };
  const caller = await auth.authenticate(credentials, service.store.reader);
  if (caller.credential.via === 'session') {
    const facts = { secFetchSite: header(request, 'sec-fetch-site'), origin: header(request, 'origin') };
    rejectCrossSiteChange(request.method ?? '', facts, trustedOrigins);
  }
  switch (required) {
    case 'session':
      if (caller.credential.via !== 'session') throw new WorkspaceError('session_required');
      return { caller, access: null };
    case 'caller':
    case 'keys':
      return { caller, access: null };
    case 'workspace':
      return { caller, access: await openWorkspace(service, caller, workspaceId ?? '', needOf(route)) };
    case 'workspace-session': {
      const access = await openWorkspace(service, caller, workspaceId ?? '');
      if (caller.credential.via !== 'session') throw new WorkspaceError('session_required');
      return { caller, access };
    }
  }
}

export type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const allMethods: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
];

/** Mounts a handler of methods at a path. Errors that it throws become error responses. */
export function mount(
  app: FastifyInstance,
  method: HTTPMethods | HTTPMethods[],
  url: string,
  serve: Serve,
): void {
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      try {
        const ip: string | undefined = request.ip;
        // The client has left: its socket has no address, and no client reads the response. A socket whose address was
        // read once still knows it if the client leaves later, so limits count by it.
        if (ip === undefined || request.raw.socket.destroyed) throw new WorkspaceError('overloaded');
        const from = { actor: null, requestId: request.id, address: () => ip };
        await actingFrom(from, () => serve(request, reply));
      } catch (error) {
        recordFailure(request.raw, error);
        sendError(request.raw, reply, error, request.id);
      } finally {
        recordHandled(request.raw);
      }
      // Wait for a reply that is not sent yet.
      return reply.sent ? undefined : reply;
    },
  });
}

export function mountMethodError(app: FastifyInstance, url: string, taken: readonly HTTPMethods[]): void {
  const allow = taken.join(', ');
  const others = allMethods.filter((method) => !taken.includes(method));
  mount(app, others, url, async () => {
    throw new WorkspaceError('method_not_allowed', { allow });
  });
}

/** Mounts each operation at its path, and an error for the methods that a path does not take. */
export function mountOperations(
  app: FastifyInstance,
  deps: HttpDeps,
  operations: readonly Operation[],
): void {
  const methodsByPath = new Map<string, Map<RouteMethod, Operation>>();
  for (const operation of operations) {
    const url = routerPath(operation.route);
    const methods = methodsByPath.get(url) ?? new Map<RouteMethod, Operation>();
    methods.set(operation.route.method, operation);
    methodsByPath.set(url, methods);
  }
  for (const [url, methods] of methodsByPath) {
    const read = methods.get('GET');
    // HEAD runs the handler of GET, and the body of the response is dropped on the way.
    if (read !== undefined && !methods.has('HEAD')) methods.set('HEAD', read);
    for (const [method, operation] of methods) {
      mount(app, method, url, (request, reply) => serveOperation(deps, operation, request, reply));
    }
    mountMethodError(app, url, [...methods.keys()]);
  }
}

/** `/api/workspaces/{workspaceId}/files/{path}` → `/api/workspaces/:workspaceId/files/-`: see `routableTarget`. */
function routerPath(route: RouteDescriptor): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === route.restOfPath ? pathPlaceholder : `:${name}`,
  );
}

/**
 * Returns a signal that aborts when the client leaves before it has its response. It is not aborted afterwards,
 * because creating the abort error would slow down every short request.
 */
export function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
