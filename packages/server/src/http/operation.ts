import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  jsonBodyMaxBytes,
  needOf,
  parseRequest,
  type RouteBody,
  type RouteDescriptor,
  type RouteMethod,
  type RouteParam,
  type RouteQuery,
} from '@stoa/contract';
import { parseUrlPath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../service/access.ts';
import { actingFrom } from '../service/auditing/origin.ts';
import { hashApiKey } from '../service/keys/api-key-secret.ts';
import { type Answer, sendAnswer } from './answers/answer.ts';
import { sendRefusal } from './answers/send-refusal.ts';
import type { HttpDeps } from './http-deps.ts';
import { refuseCrossSiteChange } from './request/cross-site.ts';
import { pathPlaceholder, rawFilePath } from './request/file-target.ts';
import { hasBody, header } from './request/headers.ts';
import { type QueryParser, queryParser } from './request/query-parser.ts';
import { notJson, readJsonBody, smallJsonBytes, withLargeJson } from './request/read-json-body.ts';
import { noteActor, noteFailure, noteHandled } from './request-record.ts';

/** A request of a route as its handler sees it: who calls, and what the contract's schemas made of the rest. */
export type OperationRequest<Route extends RouteDescriptor> = {
  readonly deps: HttpDeps;
  readonly params: Readonly<Record<RouteParam<Route['path']>, string>>;
  readonly query: RouteQuery<Route>;
  readonly body: RouteBody<Route>;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  /** Proxies that are believed already accounted for. */
  readonly clientAddress: string;
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
  readonly parseQuery: QueryParser | null;
  readonly handle: (request: OperationFacts) => Answer | Promise<Answer>;
}

/** Everything that was found out about a request, before the route's own type narrows it. */
export interface OperationFacts {
  readonly deps: HttpDeps;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly clientAddress: string;
  readonly caller: Caller | null;
  readonly access: WorkspaceAccess | null;
  readonly path: WorkspacePath | null;
}

/** Binds a handler to the route it answers, and gives it that route's types. */
export function operation<const Route extends RouteDescriptor>(
  route: Route,
  handle: (request: OperationRequest<Route>) => Answer | Promise<Answer>,
): Operation {
  return {
    route,
    parseQuery: route.query === undefined ? null : queryParser(route.query),
    // The facts were gathered by this route's descriptor, so they have the types that the descriptor stands for.
    handle: (facts) => handle(facts as unknown as OperationRequest<Route>),
  };
}

type Params = Readonly<Record<string, string>>;

/** An id that no database can keep names nothing, like one that nobody was ever given. */
function namedOnes(params: Params): Params {
  if (Object.values(params).every(canBeKept)) return params;
  return Object.fromEntries(Object.entries(params).map(([name, id]) => [name, canBeKept(id) ? id : '']));
}

function canBeKept(id: string): boolean {
  return !id.includes('\0') && id.isWellFormed();
}

/** Asks in the order in which refusals count: who calls and whether they may, the path, the query, the body. */
export async function serveOperation(
  given: HttpDeps,
  { route, parseQuery, handle }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const raw = request.raw;
  const params = namedOnes(request.params as Params);
  const deps = withForeseenReads(given, route, request, params.workspaceId);
  const { caller, access } = await requireAccess(deps, raw, route, params.workspaceId);
  if (caller !== null) noteActor(raw, caller.actor);
  const path = route.restOfPath === undefined ? null : parseUrlPath(rawFilePath(request.originalUrl));
  const query = parseQuery?.(request);
  const body =
    route.body === undefined || route.body === 'bytes'
      ? undefined
      : parseRequest(route.body, await readJson(deps, route, caller, request, reply), 'body');
  const facts: OperationFacts = {
    deps,
    params,
    query,
    body,
    raw,
    response: reply.raw,
    clientAddress: request.ip,
    caller,
    access,
    path,
  };
  await sendAnswer(reply, await handle(facts));
}

/** What the route's use case reads first is told to the store, before anything of it is refused. */
function withForeseenReads(
  deps: HttpDeps,
  { access, id }: RouteDescriptor,
  { raw, originalUrl }: FastifyRequest,
  workspaceId: string | undefined,
): HttpDeps {
  if (access !== 'workspace' || workspaceId === undefined) return deps;
  const { store } = deps.service;
  const foreseen = store.foresee(() => {
    const apiKey = header(raw, 'x-api-key');
    const secretHash = apiKey === null ? null : hashApiKey(apiKey);
    if (secretHash === null) return null;
    const opens = id === 'readFile' && raw.method === 'GET' && header(raw, 'if-none-match') === null;
    return { secretHash, workspaceId, openedPath: opens ? parsedOrNull(rawFilePath(originalUrl)) : null };
  });
  return foreseen === store ? deps : { ...deps, service: { ...deps.service, store: foreseen } };
}

/** A path that is not legal is refused in its turn. */
function parsedOrNull(rawPath: string): WorkspacePath | null {
  try {
    return parseUrlPath(rawPath);
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}

/** Few routes take a large body; public ones take none. */
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
 * Who calls, and whether the route is theirs to call (interface: access, Access failures). The key decides,
 * also beside a cookie; a cookie acts for a page only when the page is our own.
 * @throws WorkspaceError `key_management_needs_session`, `unauthorized`, `invalid_api_key`, `cross_site_request`,
 * `session_required`, then those of `openWorkspace`; what takes a session in a workspace refuses a key after those
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
    refuseCrossSiteChange(request.method ?? '', facts, trustedOrigins);
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

/** Mounts what answers methods at a path; whatever it throws becomes the matching refusal. */
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
        const from = { actor: null, requestId: request.id, address: () => request.ip };
        await actingFrom(from, () => serve(request, reply));
      } catch (error) {
        noteFailure(request.raw, error);
        sendRefusal(request.raw, reply, error, request.id);
      } finally {
        noteHandled(request.raw);
      }
      // One that is not sent yet is waited for.
      return reply.sent ? undefined : reply;
    },
  });
}

export function mountMethodRefusal(app: FastifyInstance, url: string, taken: readonly HTTPMethods[]): void {
  const allow = taken.join(', ');
  const others = allMethods.filter((method) => !taken.includes(method));
  mount(app, others, url, async () => {
    throw new WorkspaceError('method_not_allowed', { allow });
  });
}

/** Mounts each operation at its path, and the right refusal for the methods a path does not take. */
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
    // HEAD runs what GET runs: the answer's body is left out on the way.
    if (read !== undefined && !methods.has('HEAD')) methods.set('HEAD', read);
    for (const [method, operation] of methods) {
      mount(app, method, url, (request, reply) => serveOperation(deps, operation, request, reply));
    }
    mountMethodRefusal(app, url, [...methods.keys()]);
  }
}

/** `/api/workspaces/{workspaceId}/files/{path}` → `/api/workspaces/:workspaceId/files/-`: see `routableTarget`. */
function routerPath(route: RouteDescriptor): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === route.restOfPath ? pathPlaceholder : `:${name}`,
  );
}

/**
 * Aborted when the client goes away before it has its answer: nobody waits for that any more. Afterwards it is left alone,
 * since making the error that an abort carries would be felt in every short request.
 */
export function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
