import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertStatus } from '../support/expect.ts';
import { openHttpClient } from '../support/http-client.ts';
import { headersOf, type McpEra, mcpPath, messageOf, openMcp } from '../support/mcp-client.ts';
import { type ApiKey, createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';

const clientsCount = 200;
const rounds = 5;

const server = await useTarget();
const ada = await signUp(server);
const workspace = await createWorkspace(ada);
const keys: ApiKey[] = [];
for (let number = 0; number < clientsCount; number += 1) {
  // Half of them are scoped, so that both lists of tools are in use at once.
  const reach = number % 4 < 2 ? {} : { workspaceId: workspace.id };
  keys.push(await createKey(ada, { name: `robot ${number}`, ...reach }));
}
// One pool has 64 connections. Several pools let all clients send at once.
const ways = Array.from({ length: 4 }, () => openHttpClient(server.url));
after(() => Promise.all(ways.map((way) => way.close())));

/** The id of every message of every client. */
const id = 1;

/** One client: writes and reads its own file repeatedly, and lists its tools. */
async function work(number: number, folder: string): Promise<void> {
  const era: McpEra = number % 2 === 0 ? 'legacy' : 'modern';
  const key = keys[number];
  const way = ways[number % ways.length];
  assert.ok(key !== undefined && way !== undefined);
  const mcp = openMcp(way, key, { era });
  const scoped = number % 4 >= 2;
  const where = scoped ? {} : { workspaceId: workspace.id };
  const ask = async (method: string, params: Readonly<Record<string, unknown>>) => {
    const response = await mcp.request(messageOf(era, id, method, params), headersOf(era, method, params));
    assertStatus(response, 200);
    const message = jsonOf(response);
    assert.equal(message.id, id);
    return recordOf(message.result);
  };
  const call = async (name: string, given: Readonly<Record<string, unknown>>) =>
    recordOf((await ask('tools/call', { name, arguments: { ...where, ...given } })).structuredContent);
  const path = `${folder}/${number}.md`;
  for (let round = 1; round <= rounds; round += 1) {
    const content = `client ${number}, round ${round}: ${'x'.repeat(number)}`;
    const base = round === 1 ? {} : { baseVersion: round - 1 };
    assert.deepEqual(await call('write_file', { path, content, ...base }), { ok: true, version: round });
    const read = await call('read_file', { path });
    assert.equal(textAt(read, 'content'), content);
    assert.equal(read.version, round);
  }
  const { tools } = await ask('tools/list', {});
  assert.ok(Array.isArray(tools));
  assert.equal(tools.length, scoped ? 20 : 22);
}

test(
  ...claims(
    'mcp.concurrency.own-answers',
    'two hundred clients with equal request ids get their own responses and author their own changes',
  ),
  async () => {
    await Promise.all(keys.map((_, number) => work(number, 'together')));
    const changes = (await workspace.changes()).filter(({ path }) => String(path).startsWith('together/'));
    assert.equal(changes.length, clientsCount * rounds);
    for (const { path, op, actorLabel, actorKeyId } of changes) {
      const number = Number(/^together\/(\d+)\.md$/.exec(String(path))?.[1]);
      assert.equal(op, 'write');
      assert.equal(actorLabel, `robot ${number}`);
      assert.equal(actorKeyId, keys[number]?.id);
    }
  },
);

test(
  ...claims(
    'mcp.concurrency.cancelled',
    'clients that cancel, hang up early or skip the response do not disturb other clients',
  ),
  async () => {
    const workers = keys.map((_, number) => work(number, 'disturbed'));
    const disturbers = keys
      .slice(0, 40)
      .flatMap((key, number) => [
        cancel(key),
        hangUpInTheBody(key, `disturbed/half-${number}.md`),
        hangUpBeforeTheResponse(key, `disturbed/unread-${number}.md`),
      ]);
    await Promise.all([...workers, ...disturbers]);
    const left = await workspace.query('list', { prefix: 'disturbed' });
    const text = left.bytes.toString('utf8');
    assert.ok(!text.includes('half-'), 'the server acted on half a message');
    for (let number = 0; number < 40; number += 1) {
      const file = await workspace.get(`disturbed/unread-${number}.md`);
      if (file.status === 404) continue;
      assert.equal(file.bytes.toString('utf8'), unreadContent, 'a file that no client wrote');
    }
    await work(0, 'afterwards');
  },
);

/** Cancels the id that all clients use. */
async function cancel(key: ApiKey): Promise<void> {
  for (const era of ['legacy', 'modern'] as const) {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
    const response = await openMcp(server, key).request(cancelled, headersOf(era, 'notifications/cancelled'));
    assertStatus(response, 202);
  }
}

const unreadContent = 'y'.repeat(50_000);

function requestFor(key: ApiKey, path: string): Buffer {
  const given = { workspaceId: workspace.id, path, content: unreadContent };
  const body = JSON.stringify(
    messageOf('legacy', id, 'tools/call', { name: 'write_file', arguments: given }),
  );
  const lines = [
    `POST ${mcpPath} HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `x-api-key: ${key.secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

async function hangUpInTheBody(key: ApiKey, path: string): Promise<void> {
  const request = requestFor(key, path);
  await sendAndHangUp(request.subarray(0, request.length - 10_000));
}

async function hangUpBeforeTheResponse(key: ApiKey, path: string): Promise<void> {
  await sendAndHangUp(requestFor(key, path));
}

async function sendAndHangUp(bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  // The server may close first: only the sent bytes matter.
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise<void>((sent) => socket.write(bytes, () => sent()));
  if (socket.closed) return;
  socket.destroy();
  await once(socket, 'close');
}
