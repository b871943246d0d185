import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { recordOf } from '../../../tests/support/answer.ts';
import { freePort } from '../../../tests/support/free-port.ts';
import { ApiKey } from '../src/config/api-key.ts';
import { writeFolderConfig } from '../src/config/folder-config.ts';
import { relayMessages } from '../src/mcp/relay.ts';
import { splitLines } from '../src/mcp/split-lines.ts';
import type { Pace } from '../src/output/host.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

type Message = Record<string, unknown>;
type Handle = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

/** A server on loopback that does with each message what the test says. */
async function playServer(handle: Handle) {
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

function answer(response: ServerResponse, { id }: Message, result: unknown = { ok: true }): void {
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Time that passes only by waiting, but for the long wait at the end. */
function quickPace(): Pace & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    sleep: (ms, signal) => {
      waits.push(ms);
      // The end of the input waits for answers: that long wait does not end here.
      if (ms < 20_000) return Promise.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
}

function startRelay(
  url: string,
  wishes: {
    readonly key?: string;
    readonly readKey?: () => string;
    readonly pace?: Pace;
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
  const { key = 'stoa_canary' } = wishes;
  const ended = relayMessages({
    apiBase: url,
    toolset: wishes.toolset ?? null,
    apiKey: new ApiKey(key),
    readKey: async () => new ApiKey(wishes.readKey?.() ?? key),
    fetch: globalThis.fetch.bind(globalThis),
    stdin,
    stdout,
    log: (line) => logged.push(line),
    pace: wishes.pace ?? quickPace(),
    signal: end.signal,
    ...(wishes.messageMaxBytes === undefined ? {} : { messageMaxBytes: wishes.messageMaxBytes }),
  });
  const answers = (): Message[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    ended,
    end: () => end.abort(),
    logged,
    answers,
    send: (...messages: readonly (Message | string)[]) => {
      for (const message of messages)
        stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    },
    close: () => stdin.end(),
    /** All answers once there are so many. */
    until: async (count: number) => {
      while (answers().length < count) await heard.promise;
      return answers();
    },
  };
}

const call = (id: number, name = 'write_file', extra: Message = {}): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { path: 'a.md' }, ...extra },
});
const modernMeta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', own: { kept: [1] } } };

function textOf(message: Message | undefined): string {
  const result = message?.result as { content: { text: string }[]; isError: boolean } | undefined;
  assert.equal(result?.isError, true, JSON.stringify(message));
  return result?.content[0]?.text ?? '';
}

test('messages pass as they are, with the key and the headers of their revision', async () => {
  const headers: (string | undefined)[] = [];
  await using server = await playServer((message, response, request) => {
    headers.push(String(request.headers['x-api-key']), String(request.headers['mcp-protocol-version']));
    const result =
      message.method === 'initialize'
        ? { protocolVersion: '2025-11-25', own: { field: 1 } }
        : { future: true };
    answer(response, message, result);
  });
  const relay = startRelay(server.url);
  relay.send({
    jsonrpc: '2.0',
    id: 'a',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', own: 2 },
  });
  await relay.until(1);
  relay.send({ jsonrpc: '2.0', id: 1, method: 'future/method', params: { x: 1 } });
  await relay.until(2);
  relay.send(call(2, 'read_file', modernMeta));
  const said = await relay.until(3);
  relay.close();
  await relay.ended;
  assert.deepEqual(said, [
    { jsonrpc: '2.0', id: 'a', result: { protocolVersion: '2025-11-25', own: { field: 1 } } },
    { jsonrpc: '2.0', id: 1, result: { future: true } },
    { jsonrpc: '2.0', id: 2, result: { future: true } },
  ]);
  assert.deepEqual(server.received[2], call(2, 'read_file', modernMeta));
  assert.deepEqual(headers, [
    'stoa_canary',
    'undefined',
    'stoa_canary',
    '2025-11-25',
    'stoa_canary',
    '2026-07-28',
  ]);
});

test('a line that is no message is answered, and the next one passes', async () => {
  await using server = await playServer((message, response) => answer(response, message));
  const relay = startRelay(server.url);
  relay.send('no json', '', '[]', '{"own":1}', call(1));
  const said = await relay.until(4);
  assert.deepEqual(
    said.map(({ id, error }) => [id, (error as { code: number } | undefined)?.code]),
    [
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [1, undefined],
    ],
  );
  relay.close();
  await relay.ended;
});

test('what never left is sent again, then told as text that a model can act on', async () => {
  const pace = quickPace();
  const port = await freePort();
  const relay = startRelay(`http://127.0.0.1:${port}`, { pace });
  relay.send(call(1), call(2, 'read_file', modernMeta), { jsonrpc: '2.0', id: 3, method: 'initialize' });
  const said = await relay.until(3);
  const byId = new Map(said.map((message) => [message.id, message]));
  assert.match(textOf(byId.get(1)), /^Stoa at 127\.0\.0\.1:\d+ cannot be reached\. Nothing was changed/);
  assert.equal(recordOf(byId.get(1)?.result).resultType, undefined);
  assert.equal(recordOf(byId.get(2)?.result).resultType, 'complete');
  assert.equal(recordOf(byId.get(3)?.error).code, -32603);
  assert.deepEqual(
    pace.waits.toSorted((a, b) => a - b),
    [500, 500, 1500, 1500, 2000, 2500, 2500, 6000, 10_000],
  );
  assert.equal(relay.logged.length, 3);
  assert.match(relay.logged[0] ?? '', /^tools\/call: not sent \(ECONNREFUSED\)$/);
  relay.close();
  await relay.ended;
});

test('what may have arrived is never sent again', async () => {
  await using server = await playServer((_message, response) => response.destroy());
  const relay = startRelay(server.url);
  relay.send(call(1), { jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const said = await relay.until(2);
  assert.match(textOf(said.find(({ id }) => id === 1)), /it is not known whether it happened: read the file/);
  assert.equal(server.received.length, 2);
  relay.close();
  await relay.ended;
});

test('a server that is busy is asked again when it says', async () => {
  await using server = await playServer((message, response) => {
    if (server.received.length <= 2)
      response.writeHead(503, { 'Retry-After': '3' }).end('{"message":"full"}');
    else answer(response, message);
  });
  const pace = quickPace();
  const relay = startRelay(server.url, { pace });
  relay.send(call(1));
  assert.deepEqual(await relay.until(1), [{ jsonrpc: '2.0', id: 1, result: { ok: true } }]);
  assert.deepEqual(pace.waits, [3000, 3000]);
  relay.close();
  await relay.ended;
});

test('a refused key is told with what to do; linked again, the new key is taken', async () => {
  await using server = await playServer((message, response, request) => {
    if (request.headers['x-api-key'] === 'new') return answer(response, message);
    const body = { message: 'The API key was not accepted', data: { reason: 'revoked' } };
    response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  let key = 'stoa_canary';
  const relay = startRelay(server.url, { readKey: () => key });
  relay.send(call(1), { jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const said = await relay.until(2);
  assert.match(
    textOf(said.find(({ id }) => id === 1)),
    /not accepted \(revoked\)\. The person must run `stoa link` again\.$/,
  );
  assert.match(String(recordOf(said.find(({ id }) => id === 2)?.error).message), /stoa link/);
  assert.equal(server.received.length, 2);
  key = 'new';
  relay.send(call(3));
  assert.deepEqual((await relay.until(3))[2], { jsonrpc: '2.0', id: 3, result: { ok: true } });
  assert.doesNotMatch(JSON.stringify([relay.answers(), relay.logged]), /canary/);
  relay.close();
  await relay.ended;
});

test('other refusals are passed on: those of the protocol as they are', async () => {
  await using server = await playServer((message, response) => {
    const isProtocol = message.id === 1;
    const error = { code: -32602, message: 'bad', data: { own: 1 } };
    const body = isProtocol ? { jsonrpc: '2.0', id: 1, error } : { message: 'Too large' };
    response
      .writeHead(isProtocol ? 400 : 413, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(body));
  });
  const relay = startRelay(server.url);
  relay.send(call(1), call(2));
  const said = await relay.until(2);
  assert.deepEqual(
    said.find(({ id }) => id === 1),
    { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'bad', data: { own: 1 } } },
  );
  assert.match(textOf(said.find(({ id }) => id === 2)), /status 413: Too large/);
  relay.close();
  await relay.ended;
});

test('a redirect is not followed with the key', async () => {
  await using other = await playServer((message, response) => answer(response, message));
  await using server = await playServer((_message, response) =>
    response.writeHead(307, { Location: other.url }).end(),
  );
  const relay = startRelay(server.url);
  relay.send(call(1));
  assert.match(textOf((await relay.until(1))[0]), /status 307/);
  assert.equal(other.received.length, 0);
  relay.close();
  await relay.ended;
});

test('a request that is cancelled is ended and not answered', async () => {
  const closed = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  await using server = await playServer((message, response) => {
    if (message.id !== 1) return answer(response, message);
    response.once('close', closed.resolve);
    came.resolve();
  });
  const relay = startRelay(server.url);
  relay.send(call(1));
  await came.promise;
  relay.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, call(2));
  await closed.promise;
  assert.deepEqual(
    (await relay.until(1)).map(({ id }) => id),
    [2],
  );
  assert.equal(server.received.length, 2);
  relay.close();
  await relay.ended;
});

test('what is under way at the end of the input is answered; sixteen at once, in order', async () => {
  let most = 0;
  const held: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  await using server = await playServer((message, response) => {
    held.push(() => answer(response, message));
    most = Math.max(most, held.length);
    if (held.length === 16) full.resolve();
    if (server.received.length > 16) for (const release of held.splice(0)) release();
  });
  const relay = startRelay(server.url);
  relay.send(...Array.from({ length: 20 }, (_, id) => call(id)));
  relay.close();
  await full.promise;
  assert.equal(server.received.length, 16);
  for (const release of held.splice(0)) release();
  await relay.ended;
  assert.equal(relay.answers().length, 20);
  assert.equal(most, 16);
});

test('a signal ends it though the input stays open', async () => {
  await using server = await playServer((message, response) => answer(response, message));
  const relay = startRelay(server.url);
  relay.send(call(1));
  await relay.until(1);
  relay.end();
  await relay.ended;
});

test('twenty megabytes in one message go there and back', async () => {
  await using server = await playServer((message, response) => answer(response, message, message.params));
  const relay = startRelay(server.url);
  const content = 'x'.repeat(20 * 1024 * 1024);
  relay.send(call(1, 'write_file', { content }));
  const [said] = await relay.until(1);
  assert.equal(recordOf(said?.result).content, content);
  relay.close();
  await relay.ended;
});

test('what to put into a program holds no secret', async () => {
  await using folder = await makeFolder();
  await writeFolderConfig(folder.path, {
    api_base: 'https://files.example.org',
    workspace_id: 'ws_1',
    api_key: 'stoa_canary',
  });
  const shown = await runStoa(['mcp', '--show-config'], { cwd: folder.path });
  assert.deepEqual(JSON.parse(shown.stdout), {
    mcpServers: {
      stoa: { command: '/usr/bin/node', args: ['/usr/lib/stoa/bin/stoa.js', '-C', folder.path, 'mcp'] },
    },
  });
});

test('another set of tools is asked for at its own address', async () => {
  const asked: (string | undefined)[] = [];
  await using server = await playServer((message, response, request) => {
    asked.push(request.url);
    answer(response, message);
  });
  const relay = startRelay(server.url, { toolset: 'extended' });
  relay.send(call(1));
  await relay.until(1);
  assert.deepEqual(asked, ['/api/mcp?toolset=extended']);
  relay.close();
  await relay.ended;
});

test('a line that is too long is refused with a way out, and those after it pass', async () => {
  await using server = await playServer((message, response) => answer(response, message));
  const relay = startRelay(server.url, { messageMaxBytes: 1000 });
  const long = JSON.stringify(call(1, 'write_file', { text: 'x'.repeat(5000) }));
  relay.send(call(2), long, call(3));
  const answers = await relay.until(3);
  relay.close();
  await relay.ended;
  const refusal = recordOf(answers.find(({ id }) => id === null)?.error);
  assert.equal(refusal.code, -32600);
  assert.match(String(refusal.message), /longer than 1000 bytes: write a file of that size with `stoa put`/);
  assert.deepEqual(answers.map(({ id }) => String(id)).toSorted(), ['2', '3', 'null']);
  assert.deepEqual(server.received.map(({ id }) => id).toSorted(), [2, 3]);
  assert.equal(relay.logged.length, 1);
  assert.ok(!relay.logged[0]?.includes('xxx'));
});

test('the refusal of a long line counts across the pieces in which it comes, once for each line', async () => {
  const lines: string[] = [];
  let refused = 0;
  async function* pieces() {
    for (const piece of [
      '12345',
      '67890',
      'a\nok\n',
      '1234567\n12345678\n123456789012',
      '3\nend\n',
      'no end',
    ]) {
      yield Buffer.from(piece);
    }
  }
  await splitLines(Readable.from(pieces()), 8, {
    line: (line) => void lines.push(line.toString()),
    tooLong: () => {
      refused += 1;
    },
  });
  assert.deepEqual(lines, ['ok\n', '1234567\n', 'end\n']);
  assert.equal(refused, 3);
});
