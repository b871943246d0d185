import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { useOwnService } from '../support/target.ts';

const { service, client: server } = await useOwnService();
const clients = 100;
const body = JSON.stringify({ email: 'ada@example.org', password: 'not her password' });
const requests = {
  'a share page': 'GET /s/nosuchtoken HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'a sign-in': `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  'a device code':
    'POST /api/device/code HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
};

for (const [title, request] of Object.entries(requests)) {
  test(`clients that leave after ${title} cause no failure of the server`, async () => {
    for (let number = 0; number < clients; number += 1) {
      const socket = connect(service.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(request, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    assertStatus(await server.send('GET', '/api/health'), 200);
    assert.doesNotMatch(service.log(), /TypeError|"status":500/);
  });
}
