import type { ErrorCode, Need } from '@stoa/core';
import type { z } from 'zod';

/**
 * The callers that a route accepts (interface: access).
 * - `none`: All callers.
 * - `session`: A browser session only; a valid key is rejected with 403.
 * - `caller`: A key or a session.
 * - `workspace`: A caller with access to the workspace in `{workspaceId}`.
 * - `workspace-session`: A browser session with access to the workspace; a key with access to it is rejected with
 *   403.
 * - `keys`: Key management: A session, and 403 if there is an `x-api-key` header, valid or not.
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
  /** A schema means a JSON body; absent, there is no body. */
  readonly body?: z.ZodType | 'bytes';
  readonly headers?: Readonly<Record<string, HeaderDescriptor>>;
}

/** One operation of the REST interface: the contract between server, client and OpenAPI document. */
export interface RouteDescriptor {
  /** Unique; the operation's id in the OpenAPI document. */
  readonly id: string;
  readonly method: RouteMethod;
  /** With `{name}` for each parameter. */
  readonly path: `/api/${string}`;
  readonly access: RouteAccess;
  /** Access that it requires of a narrow key; by default `needOf` derives it from the method. */
  readonly needs?: Need;
  readonly tag: RouteTag;
  /** A few words; `description` adds what a reader should know beyond them. */
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of the path parameters, except `workspaceId`. */
  readonly params?: Readonly<Record<string, string>>;
  /** The parameter for the rest of the path, slashes included. `parseUrlPath` decodes its segments once. */
  readonly restOfPath?: string;
  /** Parses the strings of a query; a handler gets its output. */
  readonly query?: z.ZodObject;
  /** Request headers with a special meaning, by their documented names. */
  readonly headers?: Readonly<Record<string, HeaderDescriptor>>;
  /** A schema means JSON. A schema that accepts `undefined` makes the body optional. */
  readonly body?: z.ZodType | 'bytes';
  /** Limit of a JSON body, by default `jsonBodyMaxBytes`. */
  readonly bodyMaxBytes?: number;
  /** Successes, and outcomes that are data (interface: errors, Flat bodies), by status. */
  readonly responses: Readonly<Record<number, ResponseDescriptor>>;
  /** Errors in addition to those that `errorsOf` derives. */
  readonly errors?: readonly ErrorCode[];
}

/**
 * Returns the access that a route requires of a credential. A method that changes something requires a key with write
 * access.
 */
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
 * The query as a caller passes it: typed values instead of their text. Text values keep the input type, because a
 * handler's type may be narrower. Optional values may be absent or undefined.
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

/** The JSON body of the response with this status. */
export type RouteResponse<
  Route extends RouteDescriptor,
  Status extends keyof Route['responses'],
> = Route['responses'][Status] extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

/** The names in a route's path: `'/api/workspaces/{workspaceId}/list'` → `'workspaceId'`. */
export type RouteParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | RouteParam<Rest>
  : never;
