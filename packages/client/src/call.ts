import type {
  RouteAnswer,
  RouteBodyInput,
  RouteDescriptor,
  RouteId,
  RouteOutline,
  RouteParam,
  RouteQueryInput,
  routes,
} from '@stoa/contract';
import { routeOutlines } from '@stoa/contract/outlines';
import { type ByteBody, readAnswer } from './read-answer.ts';
import { routeAddress } from './route-address.ts';
import type { AnswerHeaders, FileContent, RequestBody, Transport } from './transport.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Lets the request go on when its page is closed. Browsers allow this for bodies of at most 64 KiB, of all such
   * requests together.
   */
  readonly keepalive?: boolean;
}

/** The routes of the contract by their ids: types only, for their values bring the schema library. */
export type Routes = typeof routes;

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
    readonly headers: AnswerHeaders;
    readonly body: Route['responses'][Status] extends { readonly body: 'bytes' }
      ? ByteBody
      : RouteAnswer<Route, Status>;
  };
}[keyof Route['responses'] & number];

/**
 * Calls a route of the contract, which `routes` or `routeOutlines` names. Nothing is tried again by itself.
 *
 * @throws StoaApiError for every answer that the route's `responses` do not describe.
 * @throws StoaConnectionError when no answer came.
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

/** What an input is made of, before the route's own type narrows it. */
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
    const route: RouteOutline = routeOutlines[id];
    const { params = {}, query = {}, headers = {}, body } = input as InputParts;
    const reply = await send(
      {
        method: route.method,
        address: routeAddress(route, params, query),
        headers,
        ...(body === undefined ? {} : { body: bodyOf(route, body) }),
        // A request that the service is asked to hold takes that much longer.
        extraMs: typeof query.wait === 'number' ? query.wait * 1000 : 0,
        ...options,
      },
      (response, came) => readAnswer(route, response, came),
    );
    // The route's own description chose how the answer was read.
    return reply as RouteReply<Routes[Id]>;
  };
}

function bodyOf({ sendsBytes }: RouteOutline, body: unknown): RequestBody {
  return sendsBytes === true ? { kind: 'bytes', bytes: body as FileContent } : { kind: 'json', value: body };
}
