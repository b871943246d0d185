import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import type { HttpResponse } from './response.ts';

/** The used parts of the library. Loading all of it takes as long as a process start, in most test files. */
const load = createRequire(import.meta.url);
const ConnectionPool: typeof Pool = load('undici/lib/dispatcher/pool.js');
const LibraryDispatcher: typeof Dispatcher = load('undici/lib/dispatcher/dispatcher.js');
LibraryDispatcher.prototype.request = load('undici/lib/api/api-request.js');

const connections = 64;
/** Well below the servers' timeout, so a connection that the server is just closing is not reused. */
const idleConnectionMs = 1000;

export interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** Raw bytes. No content type is added. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** A value sent as JSON, with its content type. */
  readonly json?: unknown;
}

/** One server, one caller: `headers` are sent with each request. The path is sent exactly as given. */
export interface HttpClient {
  readonly url: string;
  /** The headers that identify the caller. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly send: (method: string, path: string, request?: Request) => Promise<HttpResponse>;
  /** The same server for a caller with only these credentials. */
  readonly as: (credentials: Readonly<Record<string, string>>) => HttpClient;
  readonly close: () => Promise<void>;
}

export function openHttpClient(url: string): HttpClient {
  const address = new URL(url);
  const prefix = address.pathname.replace(/\/$/, '');
  const pool = new ConnectionPool(address.origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
  });
  const clientFor = (credentials: Readonly<Record<string, string>>): HttpClient => ({
    url,
    credentials,
    async send(method, path, request = {}) {
      const json = request.json === undefined ? {} : { 'content-type': 'application/json' };
      const response = await pool.request({
        method,
        path: prefix + path,
        headers: { ...credentials, ...json, ...request.headers },
        body: request.json === undefined ? bodyOf(request.body) : JSON.stringify(request.json),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const headers = new Map<string, readonly string[]>();
      for (const [name, value] of Object.entries(response.headers)) {
        if (value !== undefined) headers.set(name, typeof value === 'string' ? [value] : value);
      }
      return { status: response.statusCode, headers, bytes };
    },
    as: clientFor,
    close: () => pool.destroy(),
  });
  return clientFor({});
}

function bodyOf(body: Request['body']): string | Uint8Array | Readable | null {
  if (body === undefined) return null;
  return typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body);
}
