import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { headersOf, type McpEra, mcpPath, messageOf, opening, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type HttpResponse, headerOf, type JsonRecord, jsonOf, recordOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const mcp = openMcp(server, robot);
const eras: readonly McpEra[] = ['legacy', 'modern'];
const ping = messageOf('legacy', 1, 'ping');

test(...claims('mcp.transport.endpoint', 'a client that connects gets the name "service"'), async () => {
  const opened = await mcp.greet();
  assert.equal(recordOf(opened.serverInfo).name, 'service');
  const discovered = recordOf((await openMcp(server, robot, { era: 'modern' }).greet())._meta);
  assert.equal(recordOf(discovered['io.modelcontextprotocol/serverInfo']).name, 'service');
});

test(
  ...claims('mcp.transport.methods', 'rejects all methods except POST and names POST, with a key or without'),
  async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      for (const caller of [server, robot.client]) {
        const response = await caller.send(method, mcpPath, { headers: { accept: 'text/event-stream' } });
        assertRejection(response, 405);
        assert.equal(headerOf(response, 'allow'), 'POST', method);
      }
    }
  },
);

test(
  ...claims('mcp.transport.no-session', 'the server creates no session and ignores an invented one'),
  async () => {
    const init = messageOf('legacy', 1, 'initialize', opening());
    const discover = messageOf('modern', 1, 'server/discover');
    for (const response of [
      await mcp.request(init),
      await mcp.request(discover, headersOf('modern', 'server/discover')),
      await mcp.request({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      await mcp.request(ping, { 'mcp-session-id': 'made-up' }),
      await mcp.request(ping, { 'last-event-id': '7' }),
    ]) {
      assert.ok(response.status === 200 || response.status === 202, String(response.status));
      assert.equal(headerOf(response, 'mcp-session-id'), null);
    }
  },
);

test(...claims('mcp.transport.json', 'a plain HTTP client gets JSON, whatever it accepts'), async () => {
  const accepts = ['', '*/*', 'application/json', 'text/event-stream', 'text/html', 'image/png;q=0'];
  for (const era of eras) {
    for (const accept of accepts) {
      const headers = { ...headersOf(era, 'tools/list'), ...(accept === '' ? {} : { accept }) };
      const response = await mcp.request(messageOf(era, 'a', 'tools/list'), headers);
      assertStatus(response, 200);
      assert.equal(headerOf(response, 'content-type'), 'application/json');
      assert.equal(jsonOf(response).id, 'a');
    }
  }
});

test(...claims('mcp.transport.notifications', 'notifications get no response message'), async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  for (const response of [
    await mcp.request({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    await mcp.request(cancelled),
    await mcp.request(cancelled, headersOf('modern', 'notifications/cancelled')),
    await mcp.request({ jsonrpc: '2.0', id: 1, result: {} }),
  ]) {
    assertStatus(response, 202);
    assert.equal(response.bytes.length, 0);
  }
});

test(...claims('mcp.transport.batches', 'a batch of messages gets one batch of responses'), async () => {
  const whatCanBeCalled = { name: 'list_workspaces', arguments: {} };
  const together = [
    messageOf('legacy', 'x', 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    messageOf('legacy', 7, 'tools/call', whatCanBeCalled),
    messageOf('legacy', '7', 'nothing/like-it'),
  ];
  const response = await mcp.request(together, { 'mcp-protocol-version': '2025-03-26' });
  assertStatus(response, 200);
  const byId = new Map(listOf(response).map((message) => [message.id, message]));
  assert.deepEqual(new Set(byId.keys()), new Set(['x', 7, '7']));
  assert.deepEqual(byId.get('x')?.result, {});
  assert.ok('structuredContent' in recordOf(byId.get(7)?.result));
  assert.equal(recordOf(byId.get('7')?.error).code, -32601);

  const onlyNotifications = [together[1], together[1]];
  assertStatus(await mcp.request(onlyNotifications, { 'mcp-protocol-version': '2025-03-26' }), 202);
  const modern = [messageOf('modern', 1, 'tools/list')];
  assertError(await mcp.request(modern, headersOf('modern', 'tools/list')), 400, -32600);
  assertError(await mcp.request([]), 400, -32600);
});

test(
  ...claims('mcp.transport.batch-size', 'accepts a batch of a hundred messages and rejects one more'),
  async () => {
    const pings = Array.from({ length: 101 }, (_, id) => messageOf('legacy', id, 'ping'));
    const response = await mcp.request(pings.slice(1), { 'mcp-protocol-version': '2025-03-26' });
    assertStatus(response, 200);
    assert.equal(listOf(response).length, 100);
    assertError(await mcp.request(pings, { 'mcp-protocol-version': '2025-03-26' }), 400, -32600);
  },
);

test(...claims('mcp.transport.content-type', 'rejects a body without a JSON content type'), async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ]) {
    assertRejection(await mcp.request(ping, { 'content-type': type }), 415);
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    assertStatus(await mcp.request(ping, { 'content-type': type }), 200);
  }
});

test(...claims('mcp.transport.malformed', 'malformed messages get the errors of the protocol'), async () => {
  const noJson = ['', '{', '{"jsonrpc":"2.0","id":1,"method":"ping"} x', '['.repeat(100_000), '\u0000'];
  for (const body of noJson) assertError(await mcp.request(body), 400, -32700);
  const halfCharacter = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xe2, 0x82])]);
  const json = { 'content-type': 'application/json' };
  const cut = await robot.client.send('POST', mcpPath, { body: halfCharacter, headers: json });
  assertError(cut, 400, -32700);
  const noMessages = ['null', '1', '"x"', 'true', '{}', '[1]', '[[]]'];
  const wrongForm = [
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, method: 7 },
  ];
  for (const body of [...noMessages, ...wrongForm]) assertError(await mcp.request(body), 400, -32600);
});

test(
  ...claims(
    ['mcp.transport.unknown-method', 'mcp.revisions.no-subscriptions'],
    'methods that are not served return an error and open no stream',
  ),
  async () => {
    const others = ['prompts/list', 'resources/list', 'logging/setLevel', 'completion/complete', '__proto__'];
    for (const era of eras) {
      const client = openMcp(server, robot, { era });
      for (const method of others) {
        assert.equal(recordOf((await client.ask(method)).error).code, -32601, `${era} ${method}`);
      }
      const listen = await client.ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
      assert.ok('error' in listen, JSON.stringify(listen));
    }
    // Each era has methods that the other one does not have.
    assert.equal(recordOf((await mcp.ask('server/discover')).error).code, -32601);
    const modern = openMcp(server, robot, { era: 'modern' });
    for (const method of ['initialize', 'ping']) {
      assert.equal(recordOf((await modern.ask(method, opening())).error).code, -32601, method);
    }
  },
);

function listOf(response: HttpResponse): readonly JsonRecord[] {
  const list: unknown = JSON.parse(response.bytes.toString('utf8'));
  assert.ok(Array.isArray(list), response.bytes.toString('utf8'));
  return list.map(recordOf);
}

function assertError(response: HttpResponse, status: number, code: number): void {
  const shown = `${response.status} ${response.bytes.toString('utf8')}`;
  assert.equal(response.status, status, shown);
  const message = jsonOf(response);
  assert.equal(message.jsonrpc, '2.0', shown);
  assert.equal(recordOf(message.error).code, code, shown);
}
