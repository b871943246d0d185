import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { beginRequest } from '../../src/http/create-app.ts';
import { refreshForRequests } from '../../src/http/listener/refresh-reads.ts';
import { type RawConnection, rawConnection } from './support/raw-connection.ts';

/** Starts a server that records, in order, each call of `refreshReads` and each request. */
async function listening(result: (request: IncomingMessage) => Promise<void> = async () => {}): Promise<
  {
    readonly port: number;
    readonly recorded: string[];
    readonly connect: () => RawConnection;
  } & AsyncDisposable
> {
  const recorded: string[] = [];
  const server: Server = createServer(async (request, response) => {
    recorded.push(request.url ?? '');
    await result(request);
    response.end(`answer to ${request.url}.`);
  });
  server.prependListener('request', refreshForRequests({ refreshReads: () => void recorded.push('anew') }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connections: RawConnection[] = [];
  return {
    port,
    recorded,
    connect() {
      const connection = rawConnection(port);
      connections.push(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      for (const { socket } of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Blocks until the system has data for this many connections of a port. Data sent over loopback can arrive a
 * moment later.
 */
function untilArrived(port: number, connections: number): void {
  if (process.platform !== 'linux') {
    block(200);
    return;
  }
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (let looks = 0; looks < 6000; looks += 1) {
    const unread = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, at = '', , state, queues = '']) =>
          at.endsWith(local) && state === '01' && !queues.endsWith(':00000000'),
      );
    if (unread.length >= connections) return;
    block(10);
  }
  assert.fail('the requests did not arrive');
}

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

/**
 * The tests wait for every response before they read `noted`. Requests that one poll found are adjacent in
 * it.
 */
test('a pipelined request reads fresh state, as it may have begun after the previous read', async () => {
  await using server = await listening();
  const connection = server.connect();
  connection.send(get('/1') + get('/2') + get('/3'));
  await connection.received(/answer to \/3\./);
  assert.deepEqual(server.recorded, ['anew', '/1', 'anew', '/2', 'anew', '/3']);
});

test('a request behind a body reads fresh state, and so does a later one on its own', async () => {
  await using server = await listening(async (request) => {
    for await (const _ of request);
  });
  const connection = server.connect();
  const put = (target: string) => `PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n`;
  connection.send(`${put('/1')}bo`);
  await new Promise((resolve) => setImmediate(resolve));
  connection.send(`dy${get('/2')}`);
  await connection.received(/answer to \/2\./);
  connection.send(get('/3'));
  await connection.received(/answer to \/3\./);
  assert.deepEqual(server.recorded, ['anew', '/1', 'anew', '/2', 'anew', '/3']);
});

test('a connection keeps reading fresh state after a request whose body was never read', async () => {
  await using server = await listening();
  const connection = server.connect();
  connection.send(`PUT /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody${get('/2')}${get('/3')}`);
  await connection.received(/answer to \/3\./);
  assert.deepEqual(server.recorded, ['anew', '/1', 'anew', '/2', 'anew', '/3']);
});

test('requests that one poll finds on several connections share one read', async () => {
  await using server = await listening();
  const connections = Array.from({ length: 8 }, () => server.connect());
  for (const [index, connection] of connections.entries()) {
    connection.send(get(`/first${index}`));
    await connection.received(/answer to/);
  }
  server.recorded.length = 0;
  for (const [index, connection] of connections.entries()) connection.send(get(`/${index}`));
  // All of them are there before this process polls again.
  untilArrived(server.port, connections.length);
  await Promise.all(
    connections.map((connection, index) => connection.received(new RegExp(`to /${index}\\.`))),
  );
  assert.equal(server.recorded.filter((each) => each === 'anew').length, 1, server.recorded.join());
  assert.equal(server.recorded[0], 'anew');
});

test('a request does not use what a timer read before the poll', async () => {
  await using server = await listening();
  const connection = server.connect();
  connection.send(get('/1'));
  await connection.received(/answer to \/1\./);
  for (const target of ['/2', '/3']) {
    await new Promise<void>((resolve) =>
      setTimeout(() => {
        server.recorded.push('timer');
        connection.send(get(target));
        resolve();
      }),
    );
    await connection.received(new RegExp(`to ${target}\\.`));
  }
  assert.deepEqual(server.recorded, ['anew', '/1', 'timer', 'anew', '/2', 'timer', 'anew', '/3']);
});

test('the framework reads fresh state for a request at each address of `localhost`', async () => {
  let times = 0;
  const refresh = () => {
    times += 1;
  };
  const app = fastify({ rewriteUrl: beginRequest({ refreshReads: refresh }) });
  app.get('/', async () => 'answer');
  await app.listen({ host: 'localhost', port: 0 });
  try {
    for (const location of app.addresses()) {
      assert.ok(typeof location === 'object');
      times = 0;
      const host = location.family === 'IPv6' ? `[${location.address}]` : location.address;
      const response = await fetch(`http://${host}:${location.port}/`);
      assert.equal(await response.text(), 'answer');
      assert.equal(times, 1, location.address);
    }
  } finally {
    await app.close();
  }
});
