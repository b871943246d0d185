import { StoaApiError } from './stoa-api-error.ts';
import { StoaConnectionError } from './stoa-connection-error.ts';

export interface TransportOptions {
  /** The address of the service: `https://files.example.org`. */
  readonly baseUrl: string;
  /** Left out where a session cookie speaks for the caller: in the web app. */
  readonly apiKey?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How long an answer may take, 30 s by default. Of a download only its beginning counts. */
  readonly timeoutMs?: number;
  /** How long an upload and its answer may take, 30 min by default. */
  readonly uploadTimeoutMs?: number;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/api` on, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?:
    | { readonly kind: 'json'; readonly value: object }
    | { readonly kind: 'bytes'; readonly bytes: FileContent };
  /** Beyond the usual time, when the service itself is asked to wait. */
  readonly extraMs?: number;
}

/** Text is sent as UTF-8. A Blob that has a type brings it as the content type. */
export type FileContent = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

/** Sends calls. `read` makes the result from the answer; the time limit covers it. */
export type Transport = <Result>(
  call: Call,
  read: (response: Response) => Promise<Result>,
) => Promise<Result>;

const defaultTimeoutMs = 30_000;
const defaultUploadTimeoutMs = 30 * 60_000;

/** @throws TypeError when `baseUrl` is not an http or https address. */
export function createTransport(options: TransportOptions): Transport {
  const base = baseOf(options.baseUrl);
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (call, read) => {
    const limitMs =
      call.body?.kind === 'bytes'
        ? (options.uploadTimeoutMs ?? defaultUploadTimeoutMs)
        : (options.timeoutMs ?? defaultTimeoutMs) + (call.extraMs ?? 0);
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort(new StoaConnectionError(`no answer within ${limitMs} ms`));
    }, limitMs);
    const signal =
      call.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, call.signal]);
    try {
      return await read(
        await send(base + call.path + queryOf(call), requestOf(call, options.apiKey, signal)),
      );
    } catch (error) {
      if (error instanceof StoaApiError) throw error;
      if (signal.aborted) throw signal.reason;
      throw new StoaConnectionError(`The service at ${base} could not be reached`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

function requestOf(call: Call, apiKey: string | undefined, signal: AbortSignal): RequestInit {
  const headers = {
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(call.body?.kind === 'json' ? { 'Content-Type': 'application/json' } : {}),
    ...call.headers,
  };
  // A redirect is not followed: it would take the key along to wherever it leads.
  const request = { method: call.method, headers, signal, redirect: 'manual' } as const;
  if (call.body === undefined) return request;
  if (call.body.kind === 'json') return { ...request, body: JSON.stringify(call.body.value) };
  const { bytes } = call.body;
  // A text given to fetch would bring a content type of its own.
  if (typeof bytes === 'string') return { ...request, body: new TextEncoder().encode(bytes) };
  if (bytes instanceof ReadableStream) return { ...request, body: bytes, duplex: 'half' };
  return { ...request, body: bytes };
}

function queryOf({ query = {} }: Call): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
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
