import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { startRecordedService } from './recorded-service.ts';

test('the metadata of a file is read without its bytes', async () => {
  const headers = {
    'X-Service-Version': '7',
    'X-Service-Content-Hash': 'ab'.repeat(32),
    'Content-Type': 'text/plain',
  };
  await using service = await startRecordedService(
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
