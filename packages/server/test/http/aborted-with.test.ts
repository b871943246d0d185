import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { abortedWith } from '../../src/http/operation.ts';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

/** Sends a request, and leaves the response to the test. */
async function ask() {
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  client.on('error', () => {});
  client.end();
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { client, response, signal: abortedWith(response) };
}

test('a client that leaves before its response aborts', async () => {
  const { client, response, signal } = await ask();
  client.destroy();
  await once(response, 'close');
  assert.equal(signal.aborted, true);
});

test('a client that has its response does not abort', async () => {
  const { response, signal } = await ask();
  response.end('done');
  await once(response, 'close');
  assert.equal(signal.aborted, false);
});
