import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../tests/support/free-port.ts';
import { rawConnection } from './support/raw-connection.ts';
import { startedServer } from './support/started-server.ts';

/** More than the socket buffers of both systems take. */
const sizeBytes = 16_000_000;
/** As many as may have a download or wait for one. */
const connections = 96;

test('a link stays open to others while one address asks for its file and reads nothing', {
  timeout: 60_000,
}, async () => {
  const metricsPort = await freePort();
  await using server = await startedServer({
    STOA_TRUST_PROXY: 'loopback',
    STOA_METRICS_PORT: String(metricsPort),
    STOA_LOG_LEVEL: 'warn',
  });
  const path = 'film.bin';
  const put = await server.call(server.at(`files/${path}`), {
    method: 'PUT',
    body: new Uint8Array(sizeBytes),
  });
  assert.equal(put.status, 201);
  const made = await fetch(server.url + server.at('shares'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: server.cookie, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ path, kind: 'file', access: 'public' }),
  });
  assert.equal(made.status, 201);
  const { share } = (await made.json()) as { share: { url: string } };
  const content = `${new URL(share.url).pathname}/content`;

  const unread = Array.from({ length: connections }, () => rawConnection(server.port));
  try {
    for (const { socket } of unread) socket.pause();
    for (const { send } of unread) {
      send(`GET ${content} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: 10.0.0.1\r\n\r\n`);
    }
    while ((await requestsUnderWay(metricsPort)) < connections) await pause(20);
    const read = await fetch(server.url + content, { headers: { 'x-forwarded-for': '10.0.0.2' } });
    assert.equal(read.status, 200);
    assert.equal((await read.arrayBuffer()).byteLength, sizeBytes);
  } finally {
    for (const { socket } of unread) socket.destroy();
  }
});

async function requestsUnderWay(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const [, found] = /^stoa_http_requests_under_way (\d+)$/m.exec(text) ?? [];
  assert.ok(found !== undefined, text);
  return Number(found);
}
