import { StoaApiError, StoaConnectionError } from './errors.ts';

export interface TransportOptions {
  /** The address of the service: `https://files.example.org`. */
  readonly baseUrl: string;
  /** Left out where a session cookie speaks for the caller: in the web app. */
  readonly apiKey?: string;
  /** In place of the global `fetch`. */
  readonly fetch?: Send;
  /** How long an answer may take to begin, and be silent while it comes: 30 s by default. Of a download only its beginning counts. */
  readonly timeoutMs?: number;
  /** How long an upload and its answer may take, 30 min by default. Null: for as long as its caller's signal lets it. */
  readonly uploadTimeoutMs?: number | null;
}

/** The part of `fetch` that the client uses: another way to send has to answer the same. */
export type Send = (address: string, request: SentRequest) => Promise<Answer>;

export interface SentRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;
  /** Ends the request, and the answer that is being read. */
  readonly signal: AbortSignal;
  readonly keepalive: boolean;
  /** A redirect is answered, not followed. */
  readonly redirect: 'manual';
}

export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  /** Browsers tell of a redirect by this alone. */
  readonly type?: string;
  readonly headers: AnswerHeaders;
  /** Null where there is none. It is read once, by this or by `arrayBuffer`. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** The body for who reads it in order, where a stream of its own would have to be made first. Left out by `fetch`. */
  readonly pieces?: AsyncIterable<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export type AnswerHeaders = Pick<Headers, 'get' | 'has'>;

export interface RequestFacts {
  readonly method: string;
  /** From `/api` on, encoded. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Beyond the usual time, when the service itself is asked to wait. */
  readonly extraMs: number;
  readonly signal?: AbortSignal;
  readonly keepalive?: boolean;
}

export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: FileContent };

/** Text is sent as UTF-8. A Blob that has a type brings it as the content type. */
export type FileContent = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

/**
 * Sends requests. `read` makes the result from the answer; the time limit covers it, and begins again with each `came`: a
 * long list takes as long as the way to here needs.
 */
export type Transport = <Result>(
  request: RequestFacts,
  read: (response: Answer, came: () => void) => Promise<Result>,
) => Promise<Result>;

const defaultTimeoutMs = 30_000;
const defaultUploadTimeoutMs = 30 * 60_000;

/** @throws TypeError when `baseUrl` is not an http or https address. */
export function createTransport(options: TransportOptions): Transport {
  const base = baseOf(options.baseUrl);
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (request, read) => {
    const limitMs = limitOf(request, options);
    const deadline = new AbortController();
    const begin = () => {
      if (limitMs === null) return undefined;
      return setTimeout(() => {
        deadline.abort(new StoaConnectionError(`no answer within ${limitMs} ms`));
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
  // A redirect is not followed: it would take the key along to wherever it leads.
  const init = { method, headers, signal, keepalive, redirect: 'manual' } as const;
  if (body === undefined) return init;
  if (body.kind === 'json') return { ...init, body: JSON.stringify(body.value) };
  const { bytes } = body;
  // A text given to fetch would bring a content type of its own.
  if (typeof bytes === 'string') return { ...init, body: new TextEncoder().encode(bytes) };
  if (!(bytes instanceof ReadableStream)) return { ...init, body: bytes };
  // Required for streams, and not yet among the types of browsers.
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
