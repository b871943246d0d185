import type { RouteDescriptor, RouteMethod } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { sendRefusal } from './answers/send-refusal.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Operation } from './operation.ts';
import { pathPlaceholder } from './request/file-target.ts';
import { noteFailure, noteHandled } from './request-record.ts';
import { operations } from './routes/operations.ts';
import { serveOperation } from './serve-operation.ts';

export type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

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
    // What can be read can be asked about: the answer's body is left out on the way.
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
