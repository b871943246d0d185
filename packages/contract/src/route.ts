import type { Need, RefusalCode } from '@stoa/core';
import type { z } from 'zod';

/**
 * Who may call a route (interface: access).
 * - `none`: anybody.
 * - `session`: a browser session only; a valid key is refused with 403.
 * - `caller`: a key or a session.
 * - `workspace`: a caller who reaches the workspace that `{workspaceId}` names.
 * - `workspace-session`: a browser session that reaches the workspace; a key that reaches it is refused with 403.
 * - `keys`: key management: a session, and 403 whenever an `x-api-key` header is present, valid or not.
 */
export type RouteAccess = 'none' | 'session' | 'caller' | 'workspace' | 'workspace-session' | 'keys';

export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type RouteTag =
  | 'Files'
  | 'History'
  | 'Search'
  | 'Change feed'
  | 'Folders'
  | 'Workspaces'
  | 'Members'
  | 'Sharing'
  | 'Comments'
  | 'Keys'
  | 'Device flow'
  | 'Service';

export interface HeaderDescriptor {
  readonly description: string;
  readonly example?: string;
}

export interface ResponseDescriptor {
  readonly description: string;
  /** A schema stands for a JSON body; left out, there is no body. */
  readonly body?: z.ZodType | 'bytes';
  readonly headers?: Readonly<Record<string, HeaderDescriptor>>;
}

/** One operation of the REST interface: all that a server, a client and the OpenAPI document have to agree on. */
export interface RouteDescriptor {
  /** Unique: the operation's id in the OpenAPI document. */
  readonly id: string;
  readonly method: RouteMethod;
  /** With `{name}` for each parameter. */
  readonly path: `/api/${string}`;
  readonly access: RouteAccess;
  /** What it asks of a narrow key; left out, what `needOf` tells from the method. */
  readonly needs?: Need;
  readonly tag: RouteTag;
  /** A few words, and what a reader should know beyond them. */
  readonly summary: string;
  readonly description?: string;
  /** What each path parameter is; `workspaceId` needs none. */
  readonly params?: Readonly<Record<string, string>>;
  /** The parameter that takes the rest of the path, slashes included. Its segments are decoded once, by `parseUrlPath`. */
  readonly restOfPath?: string;
  /** Takes the strings of a query; its output is what a handler works with. */
  readonly query?: z.ZodObject;
  /** Request headers with a meaning of their own, by their documented names. */
  readonly headers?: Readonly<Record<string, HeaderDescriptor>>;
  /** A schema stands for JSON. One that accepts `undefined` makes the body optional. */
  readonly body?: z.ZodType | 'bytes';
  /** How large a JSON body may be; left out, `jsonBodyMaxBytes`. */
  readonly bodyMaxBytes?: number;
  /** Successes, and outcomes that are data (interface: errors, Flat bodies), by status. */
  readonly responses: Readonly<Record<number, ResponseDescriptor>>;
  /** Refusals beyond those that `refusalsOf` derives from the rest. */
  readonly refusals?: readonly RefusalCode[];
}

/** What a route asks of a credential: a method that changes something takes a key that may change anything. */
export function needOf({ needs, method }: Pick<RouteDescriptor, 'needs' | 'method'>): Need {
  return needs ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'write');
}

export function defineRoute<const Route extends RouteDescriptor>(route: Route): Route {
  return route;
}

/** The query as a handler sees it. */
export type RouteQuery<Route extends RouteDescriptor> = Route extends {
  readonly query: infer Query extends z.ZodType;
}
  ? z.output<Query>
  : undefined;

/**
 * The query as a caller gives it: the values that a handler sees, not their text, but for texts themselves, of which a
 * handler may know more. Optional values may be left out or undefined.
 */
export type RouteQueryInput<Route extends RouteDescriptor> = Route extends {
  readonly query: infer Query extends z.ZodType;
}
  ? {
      readonly [Name in keyof z.input<Query>]: Name extends keyof z.output<Query>
        ? NonNullable<z.output<Query>[Name]> extends string
          ? z.input<Query>[Name]
          : z.output<Query>[Name] | (undefined extends z.input<Query>[Name] ? undefined : never)
        : never;
    }
  : undefined;

/** The JSON body as a handler sees it. */
export type RouteBody<Route extends RouteDescriptor> = Route extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.output<Body>
  : undefined;

/** The JSON body as a caller sends it. */
export type RouteBodyInput<Route extends RouteDescriptor> = Route extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.input<Body>
  : undefined;

/** The JSON body of the answer with this status. */
export type RouteAnswer<
  Route extends RouteDescriptor,
  Status extends keyof Route['responses'],
> = Route['responses'][Status] extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

/** The names in a route's path: `'/api/workspaces/{workspaceId}/list'` → `'workspaceId'`. */
export type RouteParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | RouteParam<Rest>
  : never;
