import { jsonBodyMaxBytes, parseRequest, type RouteDescriptor, type RouteMethod } from '@stoa/contract';
import { parseUrlPath, WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Caller } from '../service/access/workspace-access.ts';
import { sendAnswer } from './answers/answer.ts';
import { sendRefusal } from './answers/send-refusal.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Operation, OperationFacts } from './operation.ts';
import { pathPlaceholder, rawFilePath } from './request/file-target.ts';
import { hasBody } from './request/headers.ts';
import { notJson, readJsonBody } from './request/read-json-body.ts';
import { smallJsonBytes, withLargeJson } from './request/read-large-json.ts';
import { requireAccess } from './request/require-access.ts';
import { noteActor, noteFailure, noteHandled } from './request-record.ts';
import { operations } from './routes/operations.ts';

type Params = Readonly<Record<string, string>>;

/** An id that no database can keep names nothing, like one that nobody was ever given. */
function namedOnes(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, id]) => [name, id.includes('\0') || !id.isWellFormed() ? '' : id]),
  );
}

/** Asks in the order in which refusals count: who calls and whether they may, the path, the query, the body. */
async function serveOperation(
  deps: HttpDeps,
  { route, handle }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const raw = request.raw;
  const params = namedOnes(request.params as Params);
  const { caller, access } = await requireAccess(deps, raw, route.access, params.workspaceId);
  if (caller !== null) noteActor(raw, caller.actor);
  const path = route.restOfPath === undefined ? null : parseUrlPath(rawFilePath(request.originalUrl));
  const query = route.query === undefined ? undefined : parseRequest(route.query, request.query, 'query');
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

/** Mounts every operation of the contract at its path, and the right refusal for the methods a path does not take. */
export function mountOperations(app: FastifyInstance, deps: HttpDeps): void {
  const methodsByPath = new Map<string, Map<RouteMethod, Operation>>();
  for (const operation of Object.values(operations)) {
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

/** Mounts what answers a method at a path; whatever it throws becomes the matching refusal. */
export function mount(app: FastifyInstance, method: HTTPMethods, url: string, serve: Serve): void {
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      try {
        await serve(request, reply);
      } catch (error) {
        noteFailure(request.raw, error);
        sendRefusal(request.raw, reply, error, request.id);
      } finally {
        noteHandled(request.raw);
      }
      return reply;
    },
  });
}

export function mountMethodRefusal(app: FastifyInstance, url: string, taken: readonly HTTPMethods[]): void {
  const allow = taken.join(', ');
  for (const method of allMethods.filter((method) => !taken.includes(method))) {
    mount(app, method, url, async () => {
      throw new WorkspaceError('method_not_allowed', { allow });
    });
  }
}

/** `/api/workspaces/{workspaceId}/files/{path}` → `/api/workspaces/:workspaceId/files/-`: see `routableTarget`. */
function routerPath(route: RouteDescriptor): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === route.restOfPath ? pathPlaceholder : `:${name}`,
  );
}
