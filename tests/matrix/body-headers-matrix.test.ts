import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type RouteId, routes } from '@stoa/contract';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { type HttpResponse, headerOf, jsonOf } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { routeSamples, targetIn } from './route-samples.ts';

/**
 * Every route that takes a body, with headers that change the meaning of its bytes (interface: README,
 * Conventions).
 */
const { client: server } = await useOwnService({ STOA_SIGNIN_LIMIT: '0' });
const ada = await signUp(server);
const key = (await createKey(ada)).client;
const home = await createWorkspace(ada);
await home.put('shared.txt', 'x');
const link = await share(home, 'shared.txt', { password: 'open sesame' });

interface BodyRow {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly client: HttpClient;
  readonly contentType: string;
  readonly body: string;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const rows: readonly BodyRow[] = [
  ...(Object.keys(routes) as RouteId[])
    .filter((id) => 'body' in routes[id])
    .map((id): BodyRow => {
      const { method, access, ...route } = routes[id];
      const sample = routeSamples[id];
      const isBytes = 'body' in route && route.body === 'bytes';
      return {
        title: id,
        method,
        target: targetIn(sample, home.id),
        client: access === 'workspace' || access === 'caller' ? key : ada.session,
        contentType: isBytes ? 'text/markdown' : json,
        body: isBytes ? 'some bytes' : JSON.stringify(sample.request?.json ?? {}),
      };
    }),
  ...[
    ['signing in', server, '/api/auth/sign-in/email', json, '{"email":"a@example.org","password":"x"}'],
    ['MCP', key, '/api/mcp', json, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['unlocking a link', server, `${link.path}/unlock`, json, '{"password":"open sesame"}'],
    ['unlocking a link by form', server, `${link.path}/unlock`, form, 'password=open+sesame'],
    ['signing in on a link’s page', server, `${link.path}/sign-in`, form, 'email=a&password=b'],
  ].map(
    ([title, client, target, contentType, body]) =>
      ({ title, method: 'POST', target, client, contentType, body }) as BodyRow,
  ),
];

const send = (row: BodyRow, headers: Record<string, string>, body: string | Uint8Array) =>
  row.client.send(row.method, row.target, {
    headers: {
      ...(row.contentType === json ? { accept: 'application/json, text/event-stream' } : {}),
      'content-type': row.contentType,
      ...headers,
    },
    body,
  });

function assertCodingRejected(response: HttpResponse, title: string): void {
  assert.equal(response.status, 415, `${title}: ${response.bytes.toString()}`);
  assert.equal(headerOf(response, 'accept-encoding'), 'identity', title);
}

for (const row of rows) {
  test(`${row.title} rejects an encoded and a partial body`, async () => {
    for (const coding of ['gzip', 'GZIP', 'br', 'deflate', 'aws-chunked', 'identity, gzip', 'x']) {
      assertCodingRejected(await send(row, { 'content-encoding': coding }, gzipSync(row.body)), row.title);
      assertCodingRejected(await send(row, { 'content-encoding': coding }, row.body), row.title);
    }
    for (const range of ['bytes 10-12/13', 'bytes 0-9/10', 'items 1-2/3', '']) {
      const response = await send(row, { 'content-range': range }, row.body);
      assert.equal(response.status, 400, `${row.title}: ${response.bytes.toString()}`);
      assert.match(response.bytes.toString(), /Content-Range/, row.title);
    }
    // Headers that name the default are accepted.
    const plain = await send(row, { 'content-encoding': 'Identity' }, row.body);
    assert.notEqual(plain.status, 415, `${row.title}: ${plain.bytes.toString()}`);
  });

  test(`${row.title} rejects every transfer coding but chunked`, async () => {
    const head = [
      `${row.method} ${row.target} HTTP/1.1`,
      `Host: ${new URL(server.url).host}`,
      'Connection: close',
      `Content-Type: ${row.contentType}`,
      'Accept: application/json, text/event-stream',
      ...Object.entries(row.client.credentials).map(([name, value]) => `${name}: ${value}`),
    ];
    const bytes = gzipSync(row.body).toString('latin1');
    for (const coding of ['gzip, chunked', 'identity, chunked']) {
      const request = `${head.join('\r\n')}\r\nTransfer-Encoding: ${coding}\r\n\r\n${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`;
      const response = await sendRaw(server.url, request);
      assert.ok(
        [400, 501].includes(response.status),
        `${row.title}: ${response.status} ${response.bytes.toString()}`,
      );
      assert.match(response.bytes.toString(), /Transfer-Encoding|not valid HTTP/, row.title);
    }
  });
}

test('a body rejected for its headers leaves nothing behind, and a delayed one is never sent', async () => {
  for (const headers of [{ 'content-encoding': 'gzip' }, { 'content-range': 'bytes 0-1/2' }]) {
    assert.ok(
      [400, 415].includes(
        (await key.send('PUT', `${home.root}/files/left.md`, { headers, body: 'x' })).status,
      ),
    );
    const large = 'x'.repeat(1_000_000);
    assert.ok(
      [400, 415].includes(
        (await key.send('PUT', `${home.root}/files/left.md`, { headers, body: large })).status,
      ),
    );
    const empty = { ...headers, 'x-service-allow-empty': '1' };
    assert.ok(
      [400, 415].includes(
        (await key.send('PUT', `${home.root}/files/left.md`, { headers: empty, body: '' })).status,
      ),
    );
  }
  assertRejection(await key.send('GET', `${home.root}/files/left.md`), 404);
  const held = await sendRaw(
    server.url,
    [
      `PUT ${home.root}/files/left.md HTTP/1.1`,
      `Host: ${new URL(server.url).host}`,
      'Connection: close',
      'Expect: 100-continue',
      'Content-Encoding: gzip',
      'Content-Length: 100',
      ...Object.entries(key.credentials).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  );
  assertStatus(held, 415);
  assert.match(String(jsonOf(held).statusMessage), /Content-Encoding/);
});
