import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rawConnection } from './support/raw-connection.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

let stoa: StartedServer;
before(async () => {
  stoa = await startedServer();
});
after(() => stoa[Symbol.asyncDispose]());

async function errorOf(response: Response) {
  const body = (await response.json()) as {
    statusCode: number;
    statusMessage: string;
    message: string;
    data?: unknown;
  };
  assert.equal(body.statusCode, response.status);
  assert.equal(body.message, body.statusMessage);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  return body;
}

describe('errors', () => {
  it('an unknown address is 404', async () => {
    const response = await stoa.call('/api/nothing');
    assert.equal(response.status, 404);
    await errorOf(response);
  });

  it('an unsupported method is 405 and names the supported ones', async () => {
    const response = await stoa.call(stoa.at('files/a.md'), { method: 'POST', body: 'x' });
    assert.equal(response.status, 405);
    assert.deepEqual(
      new Set(response.headers.get('allow')?.split(', ')),
      new Set(['GET', 'HEAD', 'PUT', 'DELETE']),
    );
    await errorOf(response);
  });

  it('a request without a credential is 401, even for an invalid path', async () => {
    const response = await fetch(`${stoa.url}${stoa.at('files/a%00b')}`);
    assert.equal(response.status, 401);
    await errorOf(response);
  });

  it('a key sent as Bearer is not a credential', async () => {
    const response = await fetch(`${stoa.url}/api/me`, {
      headers: { authorization: `Bearer ${stoa.apiKey}` },
    });
    assert.equal(response.status, 401);
  });

  it('a key that was never made says so in its data', async () => {
    const response = await stoa.call('/api/me', { headers: { 'x-api-key': 'nonsense' } });
    assert.equal(response.status, 401);
    assert.deepEqual((await errorOf(response)).data, { error: 'invalid_api_key', reason: 'INVALID_API_KEY' });
  });

  it('an unknown workspace is 404 before its path is checked', async () => {
    const response = await stoa.call('/api/workspaces/ws_nope/files/a%00b');
    assert.equal(response.status, 404);
  });

  it('a session-only address rejects a valid key', async () => {
    assert.equal((await stoa.call('/api/workspaces')).status, 403);
  });

  it('key management rejects any key, before looking at it', async () => {
    const response = await stoa.call('/api/keys', {
      headers: { 'x-api-key': 'nonsense', cookie: stoa.cookie },
    });
    assert.equal(response.status, 403);
    const { message } = await errorOf(response);
    assert.equal(message, 'Key management requires a logged-in session, not an API key');
  });

  it('a body that is not JSON is 400, one of another type 415', async () => {
    const post = (body: string, type: string) =>
      stoa.call(stoa.at('move'), { method: 'POST', body, headers: { 'content-type': type } });
    assert.equal((await post('{', 'application/json')).status, 400);
    assert.equal((await post('{}', 'text/plain')).status, 415);
    assert.equal((await post('{}', 'application/json; charset=utf-8')).status, 400);
    await errorOf(await post('{"from":1}', 'application/json'));
  });

  it('a JSON body over the limit is 413', async () => {
    const body = JSON.stringify({ from: 'x'.repeat(9 * 1024 * 1024) });
    const headers = { 'content-type': 'application/json' };
    const response = await stoa.call(stoa.at('move'), { method: 'POST', body, headers });
    assert.equal(response.status, 413);
    await errorOf(response);
  });

  it('a bad query names the parameter', async () => {
    const response = await stoa.call(stoa.at('changes?limit=-1'));
    assert.equal(response.status, 400);
    assert.match((await errorOf(response)).message, /limit/);
    assert.equal((await stoa.call(stoa.at('changes?limit=1&limit=2'))).status, 400);
  });

  it('an address with broken percent-encoding is 400', async () => {
    const response = await stoa.call('/api/workspaces/%zz/list');
    assert.equal(response.status, 400);
    await errorOf(response);
  });

  it('a request that is not HTTP also gets an error body', async () => {
    const connection = rawConnection(stoa.port);
    connection.send('NONSENSE\r\n\r\n');
    const response = await connection.closed();
    assert.match(response, /^HTTP\/1\.1 400 /);
    assert.match(response, /"statusCode":400,"statusMessage":"The request is not valid HTTP"/);
  });
});

describe('a page of another site', () => {
  const create = (headers: Record<string, string>) =>
    fetch(`${stoa.url}/api/workspaces`, {
      method: 'POST',
      headers: { cookie: stoa.cookie, 'content-type': 'application/json', ...headers },
      body: '{"name":"W"}',
    });

  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    it(`cannot change anything with a visitor's cookie: ${JSON.stringify(headers)}`, async () => {
      const response = await create(headers);
      assert.equal(response.status, 403);
      await errorOf(response);
    });
  }

  it('the app itself can, and so can a script', async () => {
    assert.equal((await create({ 'sec-fetch-site': 'same-origin', origin: stoa.url })).status, 200);
    assert.equal((await create({})).status, 200);
  });

  it('a key needs no such check: no page can make a browser send it', async () => {
    const headers = { origin: 'https://evil.example' };
    assert.equal((await stoa.call(stoa.at('files/o.md'), { method: 'PUT', body: 'x', headers })).status, 201);
  });
});
