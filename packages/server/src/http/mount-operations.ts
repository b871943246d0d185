import type { RouteDescriptor, RouteMethod } from '@stoa/contract';
import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from './http-deps.ts';
import { mount, mountMethodRefusal, type Operation, serveOperation } from './operation.ts';
import { pathPlaceholder } from './request/file-target.ts';
import { operations } from './routes/operations.ts';

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

/** `/api/workspaces/{workspaceId}/files/{path}` → `/api/workspaces/:workspaceId/files/-`: see `routableTarget`. */
function routerPath(route: RouteDescriptor): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === route.restOfPath ? pathPlaceholder : `:${name}`,
  );
}
