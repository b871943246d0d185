import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rawConnection } from './support/raw-connection.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

let stoa: StartedServer;
before(async () => {
  stoa = await startedServer({
    STOA_BASE_URL: 'https://files.example.org',
    STOA_APP_URL: 'https://app.example.org',
    STOA_CONTENT_URL: 'https://content.example.net',
    STOA_ALLOWED_HOSTS: 'stoa, Files.internal',
  });
});
after(() => stoa[Symbol.asyncDispose]());

/** Sends a request unchanged. @returns the whole response. */
async function responseTo(lines: readonly string[], body = ''): Promise<string> {
  const connection = rawConnection(stoa.port);
  connection.send(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
  return connection.closed();
}
const statusOf = (response: string) => Number(response.slice(9, 12));

describe('the name in the Host header', () => {
  const paths = [
    '/',
    '/link',
    '/s/token',
    '/api/health',
    '/api/me',
    '/api/openapi.json',
    '/api/mcp',
    '/nothing',
  ];

  it('of another server is rejected on every route', async () => {
    for (const path of paths) {
      const response = await responseTo([`GET ${path} HTTP/1.1`, 'host: evil.example:4700']);
      assert.equal(statusOf(response), 403, path);
      assert.match(response, /does not accept the name in the Host header/);
    }
  });

  it('rebound to this server does not let a page create an account', async () => {
    const body = JSON.stringify({ name: 'Eve', email: 'eve@example.org', password: 'long enough to be one' });
    const response = await responseTo(
      [
        'POST /api/auth/sign-up/email HTTP/1.1',
        'host: evil.example:4700',
        'origin: http://evil.example:4700',
        'sec-fetch-site: same-origin',
        'content-type: application/json',
        `content-length: ${body.length}`,
      ],
      body,
    );
    assert.equal(statusOf(response), 403);
    assert.match(response, /Host/);
  });

  it('is accepted when it is a name or an address of this server', async () => {
    for (const host of [
      'files.example.org',
      'FILES.example.org:443',
      'files.example.org.',
      'app.example.org',
      'content.example.net',
      'stoa:4700',
      'files.internal',
      'localhost:4700',
      `127.0.0.1:${stoa.port}`,
      '10.1.2.3',
      '[::1]:4700',
    ]) {
      assert.equal(statusOf(await responseTo(['GET /api/health HTTP/1.1', `host: ${host}`])), 200, host);
    }
  });

  it('is not a name of this server in any of these forms', async () => {
    for (const host of [
      'files.example.org.evil.example',
      'evilfiles.example.org',
      'files.example.org@evil.example',
      'evil.example@127.0.0.1',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'evil.example/127.0.0.1',
      '',
    ]) {
      assert.equal(statusOf(await responseTo(['GET /api/health HTTP/1.1', `host: ${host}`])), 403, host);
    }
  });

  it('may be missing in a health check of HTTP/1.0, which is not a browser', async () => {
    assert.equal(statusOf(await responseTo(['GET /api/health HTTP/1.0'])), 200);
  });

  it('twice is not valid HTTP', async () => {
    for (const second of ['evil.example', '127.0.0.1']) {
      const response = await responseTo(['GET /api/health HTTP/1.1', 'host: 127.0.0.1', `HOST: ${second}`]);
      assert.equal(statusOf(response), 400, second);
      assert.match(response, /more than one Host header/);
    }
  });
});

describe('the method QUERY', () => {
  it('is an unsupported method, not a fault', async () => {
    for (const [path, status] of [
      ['/', 405],
      ['/api/me', 405],
      ['/api/mcp', 405],
      ['/nothing', 404],
    ] as const) {
      const response = await responseTo([`QUERY ${path} HTTP/1.1`, 'host: localhost']);
      assert.equal(statusOf(response), status, path);
      assert.match(response, new RegExp(`"statusCode":${status}`));
    }
    assert.deepEqual(
      stoa.log.filter((line) => JSON.parse(line).level === 50),
      [],
    );
  });
});
