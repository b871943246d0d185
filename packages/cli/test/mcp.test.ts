import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../tests/support/free-port.ts';
import { recordOf } from '../../../tests/support/response.ts';
import { writeFolderConfig } from '../src/config/folder-config.ts';
import { call, type Message, playServer, quickPace, reply, startRelay } from './support/play-relay.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const modernMeta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', own: { kept: [1] } } };

function textOf(message: Message | undefined): string {
  const result = message?.result as { content: { text: string }[]; isError: boolean } | undefined;
  assert.equal(result?.isError, true, JSON.stringify(message));
  return result?.content[0]?.text ?? '';
}

test('the relay forwards messages unchanged, with the key and the protocol version', async () => {
  const headers: (string | undefined)[] = [];
  await using server = await playServer((message, response, request) => {
    headers.push(String(request.headers['x-api-key']), String(request.headers['mcp-protocol-version']));
    const result =
      message.method === 'initialize'
        ? { protocolVersion: '2025-11-25', own: { field: 1 } }
        : { future: true };
    reply(response, message, result);
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

test('the user agent names the version and nothing about the machine', async () => {
  const agents: (string | undefined)[] = [];
  await using server = await playServer((message, response, request) => {
    agents.push(request.headers['user-agent']);
    reply(response, message);
  });
  const env = { STOA_URL: server.url, STOA_KEY: 'stoa_canary' };
  const ran = await runStoa(['mcp'], { cwd: '/', env, stdin: `${JSON.stringify(call(1))}\n` });
  assert.deepEqual(ran.json(), [{ jsonrpc: '2.0', id: 1, result: { ok: true } }]);
  assert.match(agents.join(), /^stoa\/\d+\.\d+\.\d+$/);
});

test('an invalid line gets an error, and the next message passes', async () => {
  await using server = await playServer((message, response) => reply(response, message));
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

test('an unsent message is retried, then reported in text that a model can act on', async () => {
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

test('the relay reaches a server again after outages at the start and in the middle', async () => {
  await using server = await playServer((message, response) => reply(response, message));
  const nobody = `http://127.0.0.1:${await freePort()}`;
  let isUp = false;
  let backAfterWaits = 1;
  const quick = quickPace();
  const relay = startRelay(server.url, {
    fetch: (input, init) => fetch(isUp ? input : `${nobody}${new URL(String(input)).pathname}`, init),
    pace: {
      now: quick.now,
      sleep: (ms, signal) => {
        backAfterWaits -= 1;
        if (backAfterWaits === 0) isUp = true;
        return quick.sleep(ms, signal);
      },
    },
  });
  relay.send({ jsonrpc: '2.0', id: 1, method: 'initialize' });
  assert.deepEqual(await relay.until(1), [{ jsonrpc: '2.0', id: 1, result: { ok: true } }]);
  relay.send(call(2));
  await relay.until(2);
  isUp = false;
  relay.send(call(3));
  assert.match(textOf((await relay.until(3))[2]), /cannot be reached\. Nothing was changed/);
  backAfterWaits = 2;
  relay.send(call(4));
  assert.deepEqual((await relay.until(4))[3], { jsonrpc: '2.0', id: 4, result: { ok: true } });
  assert.deepEqual(
    server.received.map(({ id }) => id),
    [1, 2, 4],
  );
  relay.close();
  await relay.ended;
});

test('a message that may have arrived is never sent again', async () => {
  await using server = await playServer((_message, response) => response.destroy());
  const relay = startRelay(server.url);
  relay.send(call(1), { jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const said = await relay.until(2);
  assert.match(textOf(said.find(({ id }) => id === 1)), /it may have happened: read the file/);
  assert.equal(server.received.length, 2);
  relay.close();
  await relay.ended;
});

test('a busy server gets the message again after its `Retry-After`', async () => {
  await using server = await playServer((message, response) => {
    if (server.received.length <= 2)
      response.writeHead(503, { 'Retry-After': '3' }).end('{"message":"full"}');
    else reply(response, message);
  });
  const pace = quickPace();
  const relay = startRelay(server.url, { pace });
  relay.send(call(1));
  assert.deepEqual(await relay.until(1), [{ jsonrpc: '2.0', id: 1, result: { ok: true } }]);
  assert.deepEqual(pace.waits, [3000, 3000]);
  relay.close();
  await relay.ended;
});

test('a rejected key is reported with the next step, and a new key is used after linking', async () => {
  await using server = await playServer((message, response, request) => {
    if (request.headers['x-api-key'] === 'new') return reply(response, message);
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

test('other errors are passed on, those of the protocol unchanged', async () => {
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
  await using other = await playServer((message, response) => reply(response, message));
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

test('a cancelled request is aborted and gets no response', async () => {
  const closed = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  await using server = await playServer((message, response) => {
    if (message.id !== 1) return reply(response, message);
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

test('pending messages get responses after the input ends, sixteen at once', async () => {
  let most = 0;
  const pending: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  await using server = await playServer((message, response) => {
    pending.push(() => reply(response, message));
    most = Math.max(most, pending.length);
    if (pending.length === 16) full.resolve();
    if (server.received.length > 16) for (const release of pending.splice(0)) release();
  });
  const relay = startRelay(server.url);
  relay.send(...Array.from({ length: 20 }, (_, id) => call(id)));
  relay.close();
  await full.promise;
  assert.equal(server.received.length, 16);
  for (const release of pending.splice(0)) release();
  await relay.ended;
  assert.equal(relay.answers().length, 20);
  assert.equal(most, 16);
});

test('a signal ends the relay while the input stays open', async () => {
  await using server = await playServer((message, response) => reply(response, message));
  const relay = startRelay(server.url);
  relay.send(call(1));
  await relay.until(1);
  relay.end();
  await relay.ended;
});

test('`mcp --show-config` prints no secret', async () => {
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
  assert.match(shown.stderr, /npm install -g https:\/\/files\.example\.org\/download\/stoa-cli\.tgz\n$/);
  assert.doesNotMatch(JSON.stringify(shown), /canary/);
});

test('a toolset is selected in the query string', async () => {
  const asked: (string | undefined)[] = [];
  await using server = await playServer((message, response, request) => {
    asked.push(request.url);
    reply(response, message);
  });
  const relay = startRelay(server.url, { toolset: 'extended' });
  relay.send(call(1));
  await relay.until(1);
  assert.deepEqual(asked, ['/api/mcp?toolset=extended']);
  relay.close();
  await relay.ended;
});
