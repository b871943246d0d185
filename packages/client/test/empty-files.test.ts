import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { playService } from './recorded-service.ts';

const answered = (result: unknown) => ({ status: 200, json: { jsonrpc: '2.0', id: 1, result } });
const tool = (structuredContent: unknown) => answered({ content: [], structuredContent });

test('an empty file is written by the tool of agents, with what the writer knows', async () => {
  await using service = await playService(
    tool({ ok: true, version: 1 }),
    tool({ ok: true, version: 4 }),
    tool({ ok: true, version: 9 }),
    tool({ ok: false, currentVersion: 2, conflictCopyPath: 'a (conflicted copy)' }),
    tool({ ok: false, fileCountExceeded: true, usedFiles: 5, limitFiles: 5 }),
  );
  const client = createStoaClient(service);
  const write = (precondition: Parameters<typeof client.writeEmptyFile>[2]) =>
    client.writeEmptyFile('ws_1', 'a', precondition);
  assert.deepEqual(await write({ kind: 'absent' }), { kind: 'created', path: 'a', version: 1 });
  assert.deepEqual(await write({ kind: 'version', version: 3 }), { kind: 'updated', path: 'a', version: 4 });
  assert.deepEqual(await write({ kind: 'version', version: 3 }), {
    kind: 'unchanged',
    path: 'a',
    version: 9,
  });
  assert.deepEqual(await write({ kind: 'absent' }), {
    kind: 'conflict',
    currentVersion: 2,
    conflictCopyPath: 'a (conflicted copy)',
  });
  assert.deepEqual(await write({ kind: 'absent' }), {
    kind: 'file_count_exceeded',
    usedFiles: 5,
    limitFiles: 5,
  });
  const { params } = JSON.parse(service.requests[1]?.body ?? '');
  assert.deepEqual(params, {
    name: 'write_file',
    arguments: { workspaceId: 'ws_1', path: 'a', content: '', baseVersion: 3 },
  });
});

test('what refuses an empty file is told with its own words', async () => {
  await using service = await playService(
    answered({ isError: true, content: [{ type: 'text', text: 'The workspace is read-only.' }] }),
    { status: 401, json: { statusMessage: 'The API key was not accepted' } },
    { status: 200, json: ['not a tool'] },
  );
  const client = createStoaClient(service);
  const write = () => client.writeEmptyFile('ws_1', 'a', { kind: 'absent' });
  await assert.rejects(write(), /read-only/);
  await assert.rejects(write(), (error) => error instanceof StoaApiError && error.status === 401);
  await assert.rejects(write(), StoaApiError);
});

test('what is known of a file is read without its bytes', async () => {
  const headers = {
    'X-Service-Version': '7',
    'X-Service-Content-Hash': 'ab'.repeat(32),
    'Content-Type': 'text/plain',
  };
  await using service = await playService(
    { status: 200, headers: { ...headers, 'Content-Length': '12' } },
    { status: 404 },
  );
  const client = createStoaClient(service);
  assert.deepEqual(await client.headFile('ws_1', 'a'), {
    version: 7,
    contentType: 'text/plain',
    contentHash: 'ab'.repeat(32),
    sizeBytes: 12,
  });
  await assert.rejects(
    client.headFile('ws_1', 'a'),
    (error) => error instanceof StoaApiError && error.status === 404,
  );
});
