import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { ApiKey } from '../../src/config/api-key.ts';
import { relayMessages } from '../../src/mcp/relay.ts';
import type { Pace } from '../../src/output/host.ts';

export type Message = Record<string, unknown>;
export type Handle = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

/** Starts a loopback server that passes each message to `handle`. */
export async function playServer(handle: Handle) {
  const received: Message[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message: Message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    received.push(message);
    handle(message, response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function reply(response: ServerResponse, { id }: Message, result: unknown = { ok: true }): void {
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** A clock whose sleeps end at once, except the long wait for responses at the end. */
export function quickPace(): Pace & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    sleep: (ms, signal) => {
      waits.push(ms);
      // After the input ends, the relay waits long for responses. This wait must not end at once.
      if (ms < 20_000) return Promise.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
}

export function startRelay(
  url: string,
  options: {
    readonly key?: string;
    readonly readKey?: () => string;
    readonly pace?: Pace;
    readonly fetch?: typeof globalThis.fetch;
    readonly toolset?: string;
    readonly messageMaxBytes?: number;
  } = {},
) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const end = new AbortController();
  const logged: string[] = [];
  let said = '';
  let heard = Promise.withResolvers<void>();
  stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    heard.resolve();
    heard = Promise.withResolvers();
  });
  const { key = 'stoa_canary' } = options;
  const ended = relayMessages({
    apiBase: url,
    toolset: options.toolset ?? null,
    apiKey: new ApiKey(key),
    readKey: async () => new ApiKey(options.readKey?.() ?? key),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    stdin,
    stdout,
    log: (line) => logged.push(line),
    pace: options.pace ?? quickPace(),
    signal: end.signal,
    ...(options.messageMaxBytes === undefined ? {} : { messageMaxBytes: options.messageMaxBytes }),
  });
  const responses = (): Message[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    ended,
    end: () => end.abort(),
    logged,
    answers: responses,
    send: (...messages: readonly (Message | string)[]) => {
      for (const message of messages)
        stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    },
    close: () => stdin.end(),
    /** Resolves with all responses once there are `count`. */
    until: async (count: number) => {
      while (responses().length < count) await heard.promise;
      return responses();
    },
  };
}

export const call = (id: number, name = 'write_file', extra: Message = {}): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { path: 'a.md' }, ...extra },
});
