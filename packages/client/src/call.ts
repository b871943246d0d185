import type {
  RouteBodyInput,
  RouteDescriptor,
  RouteId,
  RouteParam,
  RouteQueryInput,
  RouteResponse,
  RouteRow,
  routes,
} from '@stoa/contract';
import { routeTable } from '@stoa/contract/outlines';
import { type ByteBody, readResponse } from './read-response.ts';
import { routeAddress } from './route-address.ts';
import type { FileContent, RequestBody, ResponseHeaders, Transport } from './transport.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Lets the request continue after its page is closed. Browsers allow this for a total of 64 KiB of bodies. */
  readonly keepalive?: boolean;
}

/** The routes of the contract by their ids. Types only, because their values would load the schema library. */
export type Routes = typeof routes;

/**
 * The parts of a request to a route. A part that the route does not take is absent; a part without required fields is
 * optional.
 */
export type RouteInput<Route extends RouteDescriptor> = Part<
  'params',
  Readonly<Record<RouteParam<Route['path']>, string>>
> &
  Part<'query', RouteQueryInput<Route>> &
  Part<'headers', RouteHeaders<Route>> &
  Part<'body', Route extends { readonly body: 'bytes' } ? FileContent : RouteBodyInput<Route>>;

/** One of the responses that the contract describes for a route, by status: successes, and outcomes that are data. */
export type RouteReply<Route extends RouteDescriptor> = {
  readonly [Status in keyof Route['responses'] & number]: {
    readonly status: Status;
    readonly headers: ResponseHeaders;
    readonly body: Route['responses'][Status] extends { readonly body: 'bytes' }
      ? ByteBody
      : RouteResponse<Route, Status>;
  };
}[keyof Route['responses'] & number];

/**
 * Calls a route of the contract, given as an entry of `routes` or `routeTable`. It never retries.
 *
 * @throws StoaApiError for every response that the route's `responses` do not describe
 * @throws StoaConnectionError if there was no response
 */
export type Call = <const Id extends RouteId>(
  route: { readonly id: Id },
  input: RouteInput<Routes[Id]>,
  options?: CallOptions,
) => Promise<RouteReply<Routes[Id]>>;

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

/** The parts of an input before the route's type narrows them. */
interface InputParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function createCall(send: Transport): Call {
  return async <const Id extends RouteId>(
    { id }: { readonly id: Id },
    input: RouteInput<Routes[Id]>,
    options: CallOptions = {},
  ) => {
    const route: RouteRow = routeTable[id];
    const { params = {}, query = {}, headers = {}, body } = input as InputParts;
    const reply = await send(
      {
        method: route.method,
        address: routeAddress(route, params, query),
        // A compressed file would have another length than announced. Browsers decide this themselves.
        headers: readsFile(route) ? { 'Accept-Encoding': 'identity', ...headers } : headers,
        ...(body === undefined ? {} : { body: bodyOf(route, body) }),
        // Additional time for a request that the service may hold.
        extraMs: typeof query.wait === 'number' ? query.wait * 1000 : 0,
        ...options,
      },
      (response, came) => readResponse(route, response, came),
    );
    // The route's own description decided how the response was read.
    return reply as RouteReply<Routes[Id]>;
  };
}

function readsFile({ responses }: RouteRow): boolean {
  return Object.values(responses).includes('bytes');
}

function bodyOf({ sendsBytes }: RouteRow, body: unknown): RequestBody {
  return sendsBytes === true ? { kind: 'bytes', bytes: body as FileContent } : { kind: 'json', value: body };
}
