import { StoaApiError, StoaConnectionError } from './errors.ts';

export interface TransportOptions {
  /** The address of the service: `https://files.example.org`. */
  readonly baseUrl: string;
  /** Absent if a session cookie identifies the caller, as in the web app. */
  readonly apiKey?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: Send;
  /**
   * Time limit for the start of a response, and for silence while it arrives: 30 s by default. For a download only
   * the start counts.
   */
  readonly timeoutMs?: number;
  /** Time limit for an upload and its response, 30 min by default. Null: limited only by the caller's signal. */
  readonly uploadTimeoutMs?: number | null;
}

/** The part of `fetch` that the client uses. A replacement must return the same. */
export type Send = (address: string, request: SentRequest) => Promise<HttpResponse>;

export interface SentRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;
  /** Ends the request, even while its response arrives. */
  readonly signal: AbortSignal;
  readonly keepalive: boolean;
  /** A redirect is returned, not followed. */
  readonly redirect: 'manual';
}

export interface HttpResponse {
  readonly status: number;
  readonly ok: boolean;
  /** The only sign of a redirect in browsers. */
  readonly type?: string;
  readonly headers: ResponseHeaders;
  /** Null without a body. Read it once. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** The body for a reader in order, if a stream would have to be created first. Absent with `fetch`. */
  readonly chunks?: AsyncIterable<Uint8Array> | null;
}

export type ResponseHeaders = Pick<Headers, 'get' | 'has'>;

export interface RequestFacts {
  readonly method: string;
  /** From `/api` on, encoded. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Additional time if the service is asked to wait. */
  readonly extraMs: number;
  readonly signal?: AbortSignal;
  readonly keepalive?: boolean;
}

export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: FileContent };

/** Text is sent as UTF-8. The type of a Blob becomes the content type. */
export type FileContent = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

/**
 * Sends requests. `read` makes the result from the response. The time limit covers it and restarts with each `came`,
 * so a long list may take as long as a slow connection needs.
 */
export type Transport = <Result>(
  request: RequestFacts,
  read: (response: HttpResponse, came: () => void) => Promise<Result>,
) => Promise<Result>;

const defaultTimeoutMs = 30_000;
const defaultUploadTimeoutMs = 30 * 60_000;

/** @throws TypeError if `baseUrl` is not an http or https address */
export function createTransport(options: TransportOptions): Transport {
  const base = baseOf(options.baseUrl);
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (request, read) => {
    const limitMs = limitOf(request, options);
    const deadline = new AbortController();
    const begin = () => {
      if (limitMs === null) return undefined;
      return setTimeout(() => {
        deadline.abort(new StoaConnectionError(`no response within ${limitMs} ms`));
      }, limitMs);
    };
    let timer = begin();
    const came = () => {
      clearTimeout(timer);
      timer = begin();
    };
    const signal =
      request.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, request.signal]);
    try {
      return await read(await send(base + request.address, initOf(request, options.apiKey, signal)), came);
    } catch (error) {
      if (error instanceof StoaApiError) throw error;
      if (signal.aborted) throw signal.reason;
      throw new StoaConnectionError(`The service at ${base} could not be reached`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

function limitOf({ body, extraMs }: RequestFacts, options: TransportOptions): number | null {
  const { timeoutMs = defaultTimeoutMs, uploadTimeoutMs = defaultUploadTimeoutMs } = options;
  return body?.kind === 'bytes' ? uploadTimeoutMs : timeoutMs + extraMs;
}

function initOf(
  { method, headers: own, body, keepalive = false }: RequestFacts,
  apiKey: string | undefined,
  signal: AbortSignal,
): SentRequest {
  const headers = {
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(body?.kind === 'json' ? { 'Content-Type': 'application/json' } : {}),
    ...own,
  };
  // Never follow a redirect: it would send the key to the new address.
  const init = { method, headers, signal, keepalive, redirect: 'manual' } as const;
  if (body === undefined) return init;
  if (body.kind === 'json') return { ...init, body: JSON.stringify(body.value) };
  const { bytes } = body;
  // `fetch` would add a content type for a text.
  if (typeof bytes === 'string') return { ...init, body: new TextEncoder().encode(bytes) };
  if (!(bytes instanceof ReadableStream)) return { ...init, body: bytes };
  // Required for streams, and not yet in the types of browsers.
  const streamed: SentRequest & { readonly duplex: 'half' } = { ...init, body: bytes, duplex: 'half' };
  return streamed;
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `baseUrl must be an address like https://files.example.org, not ${JSON.stringify(text)}`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
