import type {
  RouteAnswer,
  RouteBodyInput,
  RouteDescriptor,
  RouteParam,
  RouteQueryInput,
} from '@stoa/contract';
import { type ByteBody, readAnswer } from './read-answer.ts';
import { routeAddress } from './route-address.ts';
import { createTransport, type FileContent, type RequestBody, type TransportOptions } from './transport.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The parts of a request to a route. A part that the route does not take is absent; one without a required field is optional. */
export type RouteInput<Route extends RouteDescriptor> = Part<
  'params',
  Readonly<Record<RouteParam<Route['path']>, string>>
> &
  Part<'query', RouteQueryInput<Route>> &
  Part<'headers', RouteHeaders<Route>> &
  Part<'body', Route extends { readonly body: 'bytes' } ? FileContent : RouteBodyInput<Route>>;

/** One of the answers that the contract describes for a route, by its status: successes, and outcomes that are data. */
export type RouteReply<Route extends RouteDescriptor> = {
  readonly [Status in keyof Route['responses'] & number]: {
    readonly status: Status;
    readonly headers: Headers;
    readonly body: Route['responses'][Status] extends { readonly body: 'bytes' }
      ? ByteBody
      : RouteAnswer<Route, Status>;
  };
}[keyof Route['responses'] & number];

/**
 * Calls a route of the contract. Nothing is tried again by itself.
 *
 * @throws StoaApiError for every answer that the route's `responses` do not describe.
 * @throws StoaConnectionError when no answer came.
 */
export type Call = <const Route extends RouteDescriptor>(
  route: Route,
  input: RouteInput<Route>,
  options?: CallOptions,
) => Promise<RouteReply<Route>>;

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Partial<Record<string, never>> extends Value
    ? { readonly [Key in Name]?: Value }
    : undefined extends Value
      ? { readonly [Key in Name]?: Value }
      : { readonly [Key in Name]: Value };

type RouteHeaders<Route extends RouteDescriptor> = Route extends {
  readonly headers: infer Headers extends object;
}
  ? { readonly [Name in keyof Headers]?: string }
  : undefined;

/** What an input is made of, before the route's own type narrows it. */
interface InputParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** @throws TypeError when `baseUrl` is not an http or https address. */
export function createCall(options: TransportOptions): Call {
  const send = createTransport(options);
  return async <const Route extends RouteDescriptor>(
    route: Route,
    input: RouteInput<Route>,
    { signal }: CallOptions = {},
  ) => {
    const { params = {}, query = {}, headers = {}, body } = input as InputParts;
    const reply = await send(
      {
        method: route.method,
        address: routeAddress(route, params, query),
        headers,
        ...(body === undefined ? {} : { body: bodyOf(route, body) }),
        // A request that the service is asked to hold takes that much longer.
        extraMs: typeof query.wait === 'number' ? query.wait * 1000 : 0,
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => readAnswer(route, response),
    );
    // The route's own description chose how the answer was read.
    return reply as RouteReply<Route>;
  };
}

function bodyOf(route: RouteDescriptor, body: unknown): RequestBody {
  return route.body === 'bytes'
    ? { kind: 'bytes', bytes: body as FileContent }
    : { kind: 'json', value: body };
}
