import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { ClientGone, sendStream } from '../../src/http/responses/send-stream.ts';
import { rawConnection } from './support/raw-connection.ts';

const sizeBytes = 20_000_000;

/** A stream whose bytes encode their position, with a record of what its reader did. */
function watchedBytes(endsAt = sizeBytes) {
  const seen = { cancelled: false, buffersMade: 0, reads: 0 };
  let position = 0;
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const view = controller.byobRequest?.view;
      assert.ok(view instanceof Uint8Array);
      seen.reads += 1;
      // A buffer that was read into before still holds its mark.
      const mark = view[0] ?? 0;
      if (mark === 0) seen.buffersMade += 1;
      const count = Math.min(view.byteLength, endsAt - position);
      if (count === 0) {
        controller.close();
        controller.byobRequest?.respond(0);
        return;
      }
      for (let i = 0; i < count; i += 1) view[i] = byteAt(position + i);
      position += count;
      controller.byobRequest?.respond(count);
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { stream, seen };
}

/** Never 0, and of a period that no buffer's length is a multiple of. */
function byteAt(position: number): number {
  return (position % 251) + 1;
}

/** A server that sends one such stream. `ended` resolves with its failure, or null. */
async function servingOnce(stream: ReadableStream<Uint8Array>) {
  let settle: (failure: unknown) => void = () => {};
  const ended = new Promise<unknown>((resolve) => {
    settle = resolve;
  });
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server: Server = createServer((_request, response) => {
    response.once('close', close);
    response.writeHead(200, { 'content-length': sizeBytes });
    sendStream(response, stream, sizeBytes).then(
      () => settle(null),
      (error) => {
        response.destroy();
        settle(error);
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    ended,
    /** The client has gone, and the response knows it. */
    closed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('sending a large file', () => {
  it('sends every byte at its position, from two buffers that are used again', async () => {
    const { stream, seen } = watchedBytes();
    await using server = await servingOnce(stream);
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.equal(bytes.length, sizeBytes);
    assert.equal(
      bytes.findIndex((byte, position) => byte !== byteAt(position)),
      -1,
    );
    assert.equal(await server.ended, null);
    assert.ok(seen.reads > 10);
    assert.equal(seen.buffersMade, 2);
  });

  it('the server does not read ahead for a client that does not read', async () => {
    const { stream, seen } = watchedBytes();
    await using server = await servingOnce(stream);
    const client = rawConnection(server.port);
    client.socket.pause();
    client.send('GET / HTTP/1.1\r\nhost: h\r\n\r\n');
    // The socket buffers of both systems take some bytes. The rest waits for the client.
    let readsBefore = -1;
    while (seen.reads === 0 || seen.reads !== readsBefore) {
      readsBefore = seen.reads;
      for (let round = 0; round < 200; round += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(seen.reads < sizeBytes / 512 / 1024, `${seen.reads} reads`);
    client.socket.destroy();
    assert.ok((await server.ended) instanceof ClientGone);
    assert.ok(seen.cancelled);
  });

  it('a client that leaves while the disk is slow ends only its own transfer', async () => {
    const { stream, seen } = watchedBytes();
    const reader = stream.getReader({ mode: 'byob' });
    let isGone = () => {};
    const gone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    const slow = new ReadableStream({
      type: 'bytes',
      async pull(controller) {
        const view = controller.byobRequest?.view;
        assert.ok(view instanceof Uint8Array);
        if (seen.reads > 0) await gone;
        // By now an earlier failure has been noticed.
        for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
        const { value } = await reader.read(view);
        assert.ok(value !== undefined);
        controller.byobRequest?.respondWithNewView(value);
      },
      cancel: () => reader.cancel(),
    });
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await using server = await servingOnce(slow);
      const client = rawConnection(server.port);
      client.send('GET / HTTP/1.1\r\nhost: h\r\n\r\n');
      await client.received(/\r\n\r\n/);
      client.socket.destroy();
      await server.closed;
      isGone();
      assert.ok((await server.ended) instanceof ClientGone);
    } finally {
      process.off('unhandledRejection', note);
    }
    assert.deepEqual(unhandled, []);
    assert.ok(seen.cancelled);
  });

  it('a file that is shorter than it should be breaks the transfer', async () => {
    const { stream } = watchedBytes(sizeBytes - 1);
    await using server = await servingOnce(stream);
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    await assert.rejects(response.arrayBuffer());
    assert.match(String(await server.ended), /does not have its/);
  });
});
