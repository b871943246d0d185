import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { type BodyPace, isTooSlow, readBody } from '../../src/http/request/read-body.ts';
import { rawConnection } from './support/raw-connection.ts';

const waiting: BodyPace = { idleMs: 60_000, minimumBytesPerSecond: 1000, graceMs: 60_000 };
const server = createServer(async (request, response) => result(request, response));

async function result(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    let sizeBytes = 0;
    const pace = request.url === '/hasty' ? { ...waiting, idleMs: 40 } : waiting;
    for await (const chunk of readBody(request, response, pace)) sizeBytes += chunk.byteLength;
    response.end(`read ${sizeBytes};`);
  } catch (error) {
    response.end(error instanceof WorkspaceError ? `${error.code};` : 'fault;');
  }
}

let port: number;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

describe('a body', () => {
  it('is read whole, however it is cut up', async () => {
    const connection = rawConnection(port);
    connection.send('PUT / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n');
    for (let i = 0; i < 10; i += 1) connection.send('5\r\nhello\r\n');
    connection.send('0\r\n\r\n');
    await connection.received(/read 50;/);
    connection.socket.destroy();
  });

  it('that stalls is given up', async () => {
    const connection = rawConnection(port);
    connection.send('PUT /hasty HTTP/1.1\r\nhost: h\r\ncontent-length: 10\r\n\r\nhalf');
    await connection.received(/upload_interrupted;/);
    connection.socket.destroy();
  });

  it('may be slow at first, but not for long', () => {
    assert.equal(isTooSlow(waiting, 0, 60_000), false);
    assert.equal(isTooSlow(waiting, 60_000, 60_001), true);
    assert.equal(isTooSlow(waiting, 61_000, 60_001), false);
  });
});
