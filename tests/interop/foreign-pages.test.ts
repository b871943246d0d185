import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { messageOf, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import type { HttpResponse } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';

const publicUrl = 'https://files.example.org';
const appUrl = 'https://app.example.org';
const { service, client } = await useOwnService({ STOA_BASE_URL: publicUrl, STOA_APP_URL: appUrl });
const server = { ...client, url: publicUrl };
const robot = await createKey(await signUp(server));
const mcp = openMcp(client, robot);
const ping = messageOf('legacy', 1, 'ping');

test(...claims('mcp.origin.foreign', "rejects another site's page even with a valid key"), async () => {
  const origins = [
    'https://evil.example',
    'http://files.example.org',
    'https://files.example.org:8443',
    'https://files.example.org.evil.example',
    'https://evilfiles.example.org',
    'http://localhost',
    'http://127.0.0.1',
    'https://files.example.org, https://evil.example',
    'null',
    '*',
    '',
  ];
  for (const origin of origins) {
    const response = await mcp.request(ping, { origin });
    assertRejection(response, 403);
    assert.equal(response.headers.has('access-control-allow-origin'), false, origin);
  }
  // The server checks the origin before the key, so a page learns nothing about keys.
  assertRejection(await openMcp(client, 'nonsense').request(ping, { origin: 'https://evil.example' }), 403);
});

test(...claims('mcp.origin.own', 'accepts our own pages, and programs without an origin'), async () => {
  for (const origin of [publicUrl, appUrl]) assertStatus(await mcp.request(ping, { origin }), 200);
  assertStatus(await mcp.request(ping), 200);
});

test(...claims('mcp.host.foreign', 'rejects a foreign host name that points to this server'), async () => {
  const hosts = [
    'evil.example',
    `evil.example:${port()}`,
    'files.example.org.evil.example',
    'evilfiles.example.org',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'files.example.org@evil.example',
    '',
    'no host at all',
  ];
  for (const host of hosts) assertRejection(await sendTo(host), 403);
});

test(...claims('mcp.host.own', 'the names and addresses of this server get through'), async () => {
  const hosts = [
    'files.example.org',
    'files.example.org:443',
    'FILES.Example.org',
    'app.example.org',
    'localhost',
    `localhost:${port()}`,
    `127.0.0.1:${port()}`,
    '[::1]:4700',
    '192.0.2.7:4700',
    '[2001:db8::7]',
  ];
  for (const host of hosts) assert.equal((await sendTo(host)).status, 200, host);
});

function port(): string {
  return new URL(service.url).port;
}

/** Sends a raw request: client libraries only send the Host of the address that they connect to. */
function sendTo(host: string): Promise<HttpResponse> {
  const body = JSON.stringify(ping);
  const lines = [
    'POST /api/mcp HTTP/1.1',
    `Host: ${host}`,
    `x-api-key: ${robot.secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return sendRaw(service.url, `${lines.join('\r\n')}\r\n\r\n${body}`);
}
