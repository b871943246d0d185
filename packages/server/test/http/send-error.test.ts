import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { fastify } from 'fastify';
import { sendError } from '../../src/http/responses/send-error.ts';
import { rawConnection } from './support/raw-connection.ts';

const app = fastify();
app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
app.post('/interrupted', (request, reply) => {
  sendError(request.raw, reply, new WorkspaceError('upload_interrupted'), 'id');
});
app.post('/refused', (request, reply) => {
  sendError(request.raw, reply, new WorkspaceError('unauthorized'), 'id');
});
before(() => app.listen({ host: '127.0.0.1', port: 0 }));
after(() => app.close());

describe('an error while the body is still on its way', () => {
  const sent = (path: string) => {
    const connection = rawConnection(Number(new URL(app.listeningOrigin).port));
    connection.send(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 60000\r\n\r\nx`);
    return connection;
  };

  it('closes the connection when the body stopped coming', async () => {
    assert.match(await sent('/interrupted').closed(), /^HTTP\/1\.1 408 [\s\S]*connection: close/i);
  });

  it('keeps it otherwise, when little of the body is left', async () => {
    const connection = sent('/refused');
    assert.match(await connection.received(/\}$/), /connection: keep-alive/i);
    connection.socket.destroy();
  });
});
