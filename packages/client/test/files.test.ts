import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { startRecordedService } from './recorded-service.ts';

const apiKey = 'stoa_key';
const fileHeaders = {
  'X-Service-Version': '7',
  ETag: 'W/"6"',
  'X-Service-Content-Hash': 'ab'.repeat(32),
  'Content-Type': 'text/markdown',
};

test('a file is read with its version, type and hash', async () => {
  await using service = await startRecordedService({ status: 200, headers: fileHeaders, bytes: '# Plan\n' });
  const file = await createStoaClient({ ...service, apiKey }).readFile('ws_1', 'notes/plan.md');
  assert(file.kind === 'file');
  assert.deepEqual(
    [file.version, file.contentType, file.contentHash, new TextDecoder().decode(await file.bytes())],
    [7, 'text/markdown', 'ab'.repeat(32), '# Plan\n'],
  );
  assert.equal(service.requests[0]?.headers['x-api-key'], apiKey);
});

test('behind a proxy that strips headers the version is taken from the ETag', async () => {
  await using service = await startRecordedService({ status: 200, headers: { ETag: 'W/"6"' }, bytes: 'x' });
  const file = await createStoaClient(service).readFile('ws_1', 'a');
  assert.equal(file.kind === 'file' && file.version, 6);
});

test('bytes without a version are rejected: a write based on them could overwrite anything', async () => {
  await using service = await startRecordedService({ status: 200, bytes: 'sign in to the airport network' });
  await assert.rejects(createStoaClient(service).readFile('ws_1', 'a'), StoaApiError);
});

test('a file arrives as a stream', async () => {
  await using service = await startRecordedService({
    status: 200,
    headers: fileHeaders,
    bytes: 'x'.repeat(300_000),
  });
  const file = await createStoaClient(service).readFile('ws_1', 'big.txt');
  assert(file.kind === 'file');
  let length = 0;
  for await (const chunk of file.body) length += chunk.length;
  assert.equal(length, 300_000);
});

test('a file that has not changed is not sent again, and a range is asked for with its last byte', async () => {
  await using service = await startRecordedService(
    { status: 304 },
    { status: 206, headers: fileHeaders, bytes: '# P' },
  );
  const client = createStoaClient(service);
  assert.deepEqual(await client.readFile('ws_1', 'a.md', { unlessVersion: 7 }), { kind: 'not_modified' });
  await client.readFile('ws_1', 'a.md', { range: { start: 0, end: 3 } });
  assert.equal(service.requests[0]?.headers['if-none-match'], '"7"');
  assert.equal(service.requests[1]?.headers.range, 'bytes=0-2');
});

test('each segment of a path is encoded and the slashes are kept', async () => {
  await using service = await startRecordedService({ status: 204 });
  await createStoaClient(service).deleteFile('ws_1', 'a b/100%/what?#ü.md', 3);
  assert.equal(service.requests[0]?.target, '/api/workspaces/ws_1/files/a%20b/100%25/what%3F%23%C3%BC.md');
});

test('a path that leads upwards is rejected before it can reach another file', async () => {
  await using service = await startRecordedService();
  const client = createStoaClient(service);
  await assert.rejects(client.deleteFile('ws_1', 'a/../b', 1), /"\.\." is not allowed/);
  await assert.rejects(client.usage('..'), /"\.\." is not allowed/);
  assert.equal(service.requests.length, 0);
});

test('a write sends its precondition, and a content type only if it has one', async () => {
  const created = { status: 201, json: { path: 'a', version: 1 } };
  await using service = await startRecordedService(created, created, created);
  const client = createStoaClient(service);
  await client.writeFile('ws_1', 'a', 'text', { kind: 'version', version: 3 });
  await client.writeFile(
    'ws_1',
    'a',
    new Uint8Array([104, 105]),
    { kind: 'absent' },
    { contentType: 'text/plain' },
  );
  await client.writeFile('ws_1', 'a', ReadableStream.from([new Uint8Array([111, 107])]), { kind: 'none' });
  assert.deepEqual(
    service.requests.map(({ headers, body }) => [
      headers['if-match'],
      headers['if-none-match'],
      headers['content-type'],
      body,
    ]),
    [
      ['"3"', undefined, undefined, 'text'],
      [undefined, '*', 'text/plain', 'hi'],
      [undefined, undefined, undefined, 'ok'],
    ],
  );
});

test('a call with keepalive survives the close of its page', async () => {
  const asked: (boolean | undefined)[] = [];
  await using service = await startRecordedService(
    { status: 201, json: { path: 'a', version: 1 } },
    {
      status: 200,
      json: { threads: [], total: 0 },
    },
  );
  const client = createStoaClient({
    ...service,
    fetch: (input, init) => {
      asked.push(init?.keepalive);
      return fetch(input, init);
    },
  });
  await client.writeFile('ws_1', 'a', 'x', { kind: 'none' }, { keepalive: true });
  await client.listComments('ws_1', { keepalive: false });
  assert.deepEqual(asked, [true, false]);
  assert.doesNotMatch(service.requests[1]?.target ?? '', /keepalive/);
});

test('every outcome of a write that is data is returned', async () => {
  const error = {
    statusCode: 428,
    statusMessage: 'A file is at this path',
    message: 'A file is at this path',
  };
  await using service = await startRecordedService(
    { status: 201, json: { path: 'a', version: 1 } },
    { status: 200, json: { path: 'a', version: 2 } },
    { status: 200, json: { path: 'a', version: 4 } },
    { status: 412, json: { error: 'version_conflict', current_version: 5, conflict_copy_path: 'a (2)' } },
    { status: 412, json: { error: 'version_conflict', current_version: 5 } },
    { status: 428, json: error },
    { status: 507, json: { error: 'quota_exceeded', used_bytes: 9, limit_bytes: 10 } },
    { status: 507, json: { error: 'file_count_exceeded', used_files: 3, limit_files: 3 } },
    { status: 507, json: { error: 'history_exceeded', used_bytes: 9, limit_bytes: 10 } },
  );
  const client = createStoaClient(service);
  const write = () => client.writeFile('ws_1', 'a', 'x', { kind: 'version', version: 1 });
  const expected = [
    { kind: 'created', path: 'a', version: 1 },
    { kind: 'updated', path: 'a', version: 2 },
    { kind: 'unchanged', path: 'a', version: 4 },
    { kind: 'conflict', currentVersion: 5, conflictCopyPath: 'a (2)' },
    { kind: 'refused', currentVersion: 5 },
    { kind: 'precondition_required' },
    { kind: 'quota_exceeded', usedBytes: 9, limitBytes: 10 },
    { kind: 'file_count_exceeded', usedFiles: 3, limitFiles: 3 },
    { kind: 'history_exceeded', usedBytes: 9, limitBytes: 10 },
  ];
  for (const outcome of expected) assert.deepEqual(await write(), outcome);
});

test('creating an existing file with the same bytes leaves it unchanged', async () => {
  await using service = await startRecordedService({ status: 200, json: { path: 'a', version: 1 } });
  const outcome = await createStoaClient(service).writeFile('ws_1', 'a', 'x', { kind: 'absent' });
  assert.deepEqual(outcome, { kind: 'unchanged', path: 'a', version: 1 });
});

test('a stale delete, a stale move and a restore that lost are returned', async () => {
  const stale = { status: 412, json: { error: 'version_conflict', current_version: 5 } };
  await using service = await startRecordedService(stale, stale, {
    status: 409,
    json: { error: 'restore_conflicted', current_version: 5, conflict_copy_path: 'b' },
  });
  const client = createStoaClient(service);
  assert.deepEqual(await client.deleteFile('ws_1', 'a', 4), { kind: 'conflict', currentVersion: 5 });
  assert.deepEqual(await client.move('ws_1', { from: 'a', to: 'b', baseVersion: 4 }), {
    kind: 'conflict',
    currentVersion: 5,
  });
  assert.deepEqual(await client.restore('ws_1', { path: 'a', targetVersion: 1 }), {
    kind: 'conflict',
    currentVersion: 5,
    conflictCopyPath: 'b',
  });
});

test('a 412 or 409 that is not the outcome is an error, not a conflict without a version', async () => {
  await using service = await startRecordedService(
    { status: 412, bytes: '<h1>Precondition Failed</h1>' },
    {
      status: 409,
      json: { statusCode: 409, statusMessage: 'A folder is there', message: 'A folder is there' },
    },
  );
  const client = createStoaClient(service);
  await assert.rejects(client.deleteFile('ws_1', 'a', 4), StoaApiError);
  await assert.rejects(client.restore('ws_1', { path: 'a', targetVersion: 1 }), /A folder is there/);
});
