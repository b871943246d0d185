import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { startRecordedService } from './recorded-service.ts';

const thread = { path: 'a.md', body: 'Why?', kind: 'range', quote: 'x' } as const;

async function startAgainst(status: number, json: object) {
  await using service = await startRecordedService({ status, json });
  return await createStoaClient(service).startThread('ws_1', thread);
}

test('a started thread is returned', async () => {
  const started = await startAgainst(201, { thread: { id: 'thread_1' } });
  assert.deepEqual(started, { kind: 'created', thread: { id: 'thread_1' } });
});

test('a quote that cannot be placed is an outcome with its reason', async () => {
  const matches = [{ line: 3, excerpt: 'twice' }];
  assert.deepEqual(await startAgainst(409, { error: 'anchor_ambiguous', occurrences: 2, matches }), {
    kind: 'ambiguous',
    occurrences: 2,
    matches,
  });
  assert.deepEqual(await startAgainst(409, { error: 'anchor_not_found' }), { kind: 'not_found' });
  const conflict = { baseVersion: 1, currentVersion: 3, reason: 'quote_changed' } as const;
  assert.deepEqual(await startAgainst(409, { error: 'base_version_conflict', ...conflict }), {
    kind: 'base_version_conflict',
    ...conflict,
  });
});

test('every other error response is thrown', async () => {
  await assert.rejects(
    startAgainst(400, { error: 'not_markdown' }),
    (error) => error instanceof StoaApiError && error.code === 'not_markdown',
  );
  await assert.rejects(startAgainst(409, { error: 'something_else' }), StoaApiError);
});
