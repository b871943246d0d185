import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { Answer } from './answer.ts';

const connections = 64;
/** Well below what servers wait: a connection that the server is just closing is not used for another request. */
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
  /** The headers that say who is calling. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly send: (method: string, path: string, request?: Request) => Promise<Answer>;
  /** The same server for a caller with these credentials, and nobody else's. */
  readonly as: (credentials: Readonly<Record<string, string>>) => HttpClient;
  readonly close: () => Promise<void>;
}

export function openHttpClient(url: string): HttpClient {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
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
      const answer = await pool.request({
        method,
        path: prefix + path,
        headers: { ...credentials, ...json, ...request.headers },
        body: request.json === undefined ? bodyOf(request.body) : JSON.stringify(request.json),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const headers = new Map<string, readonly string[]>();
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined) headers.set(name, typeof value === 'string' ? [value] : value);
      }
      return { status: answer.statusCode, headers, bytes };
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
