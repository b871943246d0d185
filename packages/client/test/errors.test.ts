import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError, StoaConnectionError } from '@stoa/client';
import { startRecordedService } from './recorded-service.ts';

async function errorOf(call: Promise<unknown>): Promise<StoaApiError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert(error instanceof StoaApiError, String(error));
  return error;
}

test('an error response is thrown with its status, text and data', async () => {
  const data = { error: 'invalid_api_key', reason: 'KEY_EXPIRED' };
  await using service = await startRecordedService({
    status: 401,
    json: {
      statusCode: 401,
      statusMessage: 'The API key was not accepted',
      message: 'The API key was not accepted',
      data,
    },
  });
  const error = await errorOf(createStoaClient(service).me());
  assert.deepEqual(
    [error.status, error.message, error.code, error.data],
    [401, 'The API key was not accepted', 'invalid_api_key', data],
  );
});

test('a flat body that is not an outcome of the call is thrown under its name', async () => {
  await using service = await startRecordedService({ status: 402, json: { error: 'workspace_read_only' } });
  const error = await errorOf(createStoaClient(service).writeFile('ws_1', 'a', 'x', { kind: 'none' }));
  assert.deepEqual([error.status, error.code], [402, 'workspace_read_only']);
});

test('a body counts as an outcome only when it has all its fields', async () => {
  const conflict = { error: 'version_conflict', current_version: 5 };
  const wrong = [
    { error: 'version_conflict' },
    { ...conflict, current_version: '5' },
    { ...conflict, error: 'another' },
  ];
  await using service = await startRecordedService(
    { status: 412, json: conflict },
    ...wrong.map((json) => ({ status: 412, json })),
    { status: 412, bytes: 'Precondition Failed' },
  );
  const client = createStoaClient(service);
  assert.deepEqual(await client.deleteFile('ws_1', 'a', 1), { kind: 'conflict', currentVersion: 5 });
  for (const _ of [...wrong, 'no JSON']) {
    assert.equal((await errorOf(client.deleteFile('ws_1', 'a', 1))).status, 412);
  }
});

test('a response that is not JSON reports that the address may be wrong', async () => {
  await using service = await startRecordedService({ status: 200, bytes: '<html>hello' });
  assert.match((await errorOf(createStoaClient(service).list('ws_1'))).message, /base address/);
});

test('a redirect is not followed, because it would forward the key', async () => {
  await using elsewhere = await startRecordedService({ status: 200, json: {} });
  await using service = await startRecordedService({
    status: 302,
    headers: { Location: `${elsewhere.baseUrl}/api/me` },
  });
  assert.match((await errorOf(createStoaClient({ ...service, apiKey: 'k' }).me())).message, /redirect/);
  assert.equal(elsewhere.requests.length, 0);
});

test('a broken connection differs from an error response', async () => {
  await using service = await startRecordedService('break');
  await assert.rejects(createStoaClient(service).me(), StoaConnectionError);
});

test('a service that never responds causes a timeout', async () => {
  await using service = await startRecordedService('silence');
  await assert.rejects(createStoaClient({ ...service, timeoutMs: 20 }).me(), (error) => {
    assert(error instanceof StoaConnectionError);
    assert.match(error.message, /no response within 20 ms/);
    return true;
  });
});

test('a slow response is read to its end and times out only when no bytes arrive', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = (pauses: readonly number[]) =>
    createStoaClient({
      baseUrl: 'https://files.example.org',
      fetch: async (_address, { signal }) => ({
        status: 200,
        ok: true,
        headers: new Headers(),
        body: null,
        chunks: (async function* () {
          for (const ms of pauses) {
            t.mock.timers.tick(ms);
            signal.throwIfAborted();
            yield new TextEncoder().encode(' ');
          }
          yield new TextEncoder().encode('{"entries":[]}');
        })(),
      }),
    });
  assert.deepEqual((await client([20_000, 29_999, 25_000]).list('ws_1')).entries, []);
  await assert.rejects(client([20_000, 30_000]).list('ws_1'), StoaConnectionError);
});

test('an upload has a timeout of half an hour, or that of its caller', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const write = (options: { readonly uploadTimeoutMs?: null }) =>
    createStoaClient({
      ...options,
      baseUrl: 'https://files.example.org',
      fetch: async (_address, { signal }) => {
        t.mock.timers.tick(31 * 60_000);
        signal.throwIfAborted();
        return Response.json({ path: 'a', version: 1 }, { status: 201 });
      },
    }).writeFile('ws_1', 'a', 'x', { kind: 'absent' });
  await assert.rejects(write({}), StoaConnectionError);
  assert.equal((await write({ uploadTimeoutMs: null })).kind, 'created');
});

test("a caller can end a call, which throws the signal's reason", async () => {
  await using service = await startRecordedService('silence');
  const caller = new AbortController();
  const reason = new Error('the person closed the page');
  const call = createStoaClient(service).me({ signal: caller.signal });
  caller.abort(reason);
  await assert.rejects(call, reason);
});

test('an invalid address is rejected at once', () => {
  for (const baseUrl of ['files.example.org', 'ftp://files.example.org', '']) {
    assert.throws(() => createStoaClient({ baseUrl }), /baseUrl must be an address/);
  }
});

test('a base address may have a path and a trailing slash', async () => {
  await using service = await startRecordedService({ status: 200, json: { status: 'ok', timestamp: '' } });
  await createStoaClient({ baseUrl: `${service.baseUrl}/stoa/` }).health();
  assert.equal(service.requests[0]?.target, '/stoa/api/health');
});

test('a JSON response has at most 64 MiB', async () => {
  const chunks = async function* () {
    for (let count = 0; count < 70; count += 1) yield Buffer.alloc(1024 * 1024, 32);
  };
  const headers = { get: () => null, has: () => false };
  const response = { status: 200, ok: true, headers, body: null, chunks: chunks() };
  const client = createStoaClient({ baseUrl: 'http://127.0.0.1', fetch: async () => response });
  await assert.rejects(client.readWorkspace('ws_1'), /longer than 67108864 bytes/);
});
