import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteBody, RouteDescriptor, RouteParam, RouteQuery } from '@stoa/contract';
import type { WorkspacePath } from '@stoa/core';
import type { Caller, WorkspaceAccess } from '../service/access/workspace-access.ts';
import type { Answer } from './answers/answer.ts';
import type { HttpDeps } from './http-deps.ts';

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
  // The facts were gathered by this route's descriptor, so they have the types that the descriptor stands for.
  return { route, handle: (facts) => handle(facts as unknown as OperationRequest<Route>) };
}
