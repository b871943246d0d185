import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnectionQueues } from '../../src/concurrency/connection-queues.ts';
import { rawConnection } from '../http/support/raw-connection.ts';

type Pace = NonNullable<Parameters<typeof createConnectionQueues>[1]>;

/** A server that records which requests it began, and responds to each on request. */
async function serving(
  pace?: Pace,
  sweepMs?: number,
  onBegun = (_count: number, _response: ServerResponse) => {},
) {
  const begun: string[] = [];
  const late: string[] = [];
  const open = new Map<string, ServerResponse>();
  const sockets: Socket[] = [];
  const rounds = createConnectionQueues(() => late.push(`before ${begun.length + 1}`), pace, sweepMs);
  const server = createServer((request, response) =>
    rounds.take(request, response, () => {
      begun.push(request.url ?? '');
      open.set(request.url ?? '', response);
      server.emit('begun');
      onBegun(begun.length, response);
    }),
  );
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    begun,
    late,
    open,
    sockets,
    async untilBegun(count: number) {
      while (begun.length < count) await once(server, 'begun');
    },
    answer(url: string, body: string | Buffer = `answer to ${url}.`) {
      open.get(url)?.end(body);
    },
    async [Symbol.asyncDispose]() {
      rounds[Symbol.dispose]();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const get = (url: number | string) => `GET /${url} HTTP/1.1\r\nHost: x\r\n\r\n`;
const gets = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => get(from + at)).join('');

describe('a request of another connection', () => {
  it('is served between the waiting requests of many', async () => {
    const [connections, requests] = [40, 50];
    const sent = Promise.withResolvers<void>();
    await using server = await serving(undefined, undefined, (count, response) => {
      // The first request of each connection gets its response when all of them have arrived.
      if (count > connections) response.end('at once');
      else if (count === connections) sent.resolve();
    });
    const clients = Array.from({ length: connections }, () => rawConnection(server.port));
    for (const [at, client] of clients.entries()) {
      client.send(Array.from({ length: requests }, (_, each) => get(`${at}-${each}`)).join(''));
    }
    const other = rawConnection(server.port);
    await sent.promise;
    for (let at = 0; at < connections; at += 1) server.answer(`/${at}-0`);
    other.send(get('other'));
    await server.untilBegun(connections * requests + 1);
    const before = server.begun.indexOf('/other');
    assert.ok(before < (connections * requests) / 4, `${before} requests before it`);
    for (const client of [...clients, other]) client.socket.destroy();
  });
});

describe('the requests of one connection', () => {
  it('are served one after another', async () => {
    await using server = await serving();
    const client = rawConnection(server.port);
    client.send(gets(1, 10));
    await server.untilBegun(1);
    // A second connection comes in after all of them were looked at.
    const other = rawConnection(server.port);
    other.send(get('other'));
    await server.untilBegun(2);
    assert.deepEqual(server.begun, ['/1', '/other']);
    for (let url = 1; url <= 10; url += 1) {
      server.answer(`/${url}`);
      await server.untilBegun(Math.min(url + 2, 11));
    }
    const received = await client.received(/answer to \/10\./);
    assert.deepEqual(received.match(/(?<=answer to )\/\d+/g), gets(1, 10).match(/(?<=GET )\/\d+/g));
    assert.deepEqual(server.late.slice(0, 2), ['before 3', 'before 4']);
    assert.equal(server.late.length, 9);
    client.socket.destroy();
    other.socket.destroy();
  });

  it('are not read further while one of them waits', async () => {
    await using server = await serving();
    const client = rawConnection(server.port);
    client.send(gets(1, 2));
    await server.untilBegun(1);
    const [socket] = server.sockets;
    while (socket?.isPaused() === false) await pause(5);
    assert.ok(socket);
    const { bytesRead } = socket;
    for (let sent = 0; sent < 50; sent += 1) client.send(gets(6, 60));
    const other = rawConnection(server.port);
    other.send(get('other'));
    await server.untilBegun(2);
    assert.equal(socket.bytesRead, bytesRead);
    assert.equal(client.socket.destroyed, false);
    client.socket.destroy();
    other.socket.destroy();
  });

  it('are read again when none of them waits', async () => {
    await using server = await serving();
    const client = rawConnection(server.port);
    client.send(gets(1, 3));
    for (let url = 1; url <= 3; url += 1) {
      await server.untilBegun(url);
      server.answer(`/${url}`);
    }
    client.send(get(4));
    await server.untilBegun(4);
    client.socket.destroy();
  });

  it('end the connection when more than 64 wait', async () => {
    await using server = await serving();
    const client = rawConnection(server.port);
    client.send(gets(1, 65));
    await server.untilBegun(1);
    const tooMany = rawConnection(server.port);
    tooMany.send(gets(1, 66));
    assert.equal(await tooMany.closed(), '');
    assert.equal(client.socket.destroyed, false);
    client.socket.destroy();
  });

  it('that wait when it is cut are never served', async () => {
    await using server = await serving();
    const client = rawConnection(server.port);
    client.send(gets(1, 66));
    await client.closed();
    server.answer('/1');
    const other = rawConnection(server.port);
    other.send(get('other'));
    await server.untilBegun(2);
    assert.deepEqual(server.begun.slice(1), ['/other']);
    other.socket.destroy();
  });
});

describe('the waiting requests of all connections', () => {
  it('have a limit, above which a connection keeps only a few', async () => {
    await using server = await serving();
    const clients = [];
    const connected = async (requests: number) => {
      const client = rawConnection(server.port);
      clients.push(client);
      client.send(gets(1, requests));
      await server.untilBegun(clients.length);
      return client;
    };
    for (let at = 0; at < 64; at += 1) await connected(65);
    const few = await connected(5);
    const many = await connected(6);
    assert.equal(await many.closed(), '');
    assert.equal(few.socket.destroyed, false);
    // Two connections leave: the few over the limit and sixty more have room.
    const [first, second] = server.sockets;
    assert.ok(first && second);
    for (const socket of [first, second]) {
      socket.destroy();
      await once(socket, 'close');
    }
    const later = await connected(61);
    const behind = await connected(1);
    assert.equal(later.socket.destroyed, false);
    behind.socket.destroy();
  });
});

describe('a client that does not read its response', () => {
  const large = Buffer.alloc(32 * 1024 * 1024);

  it('is cut off after a silence', async () => {
    await using server = await serving({ idleMs: 100, minimumBytesPerSecond: 0, graceMs: 600_000 }, 20);
    await cutOff(server, (socket) => socket.pause());
  });

  it('is cut off when it reads too slowly on average', async () => {
    await using server = await serving({ idleMs: 600_000, minimumBytesPerSecond: 2 ** 40, graceMs: 100 }, 20);
    await cutOff(server, (socket) => socket.pause());
  });

  it('keeps its connection when it reads on later, however long the next response takes', async () => {
    await using server = await serving({ idleMs: 1500, minimumBytesPerSecond: 1, graceMs: 100 }, 20);
    const client = connect(server.port, '127.0.0.1');
    client.pause();
    client.write(get(1));
    await server.untilBegun(1);
    server.answer('/1', large);
    await pause(300);
    let bytes = 0;
    const read = Promise.withResolvers<void>();
    client.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > large.length) read.resolve();
    });
    client.resume();
    await read.promise;
    client.write(get(2));
    await server.untilBegun(2);
    await pause(2000);
    server.answer('/2');
    const [last] = (await once(client, 'data')) as [Buffer];
    assert.match(last.toString(), /answer to \/2\./);
    client.destroy();
  });

  async function cutOff(server: Awaited<ReturnType<typeof serving>>, stop: (socket: Socket) => void) {
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => {});
    stop(client);
    client.write(get(1));
    await server.untilBegun(1);
    const [socket] = server.sockets;
    assert.ok(socket);
    const closed = once(socket, 'close');
    server.answer('/1', large);
    await closed;
    client.destroy();
  }
});
