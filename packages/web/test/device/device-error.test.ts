import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { errorResponse } from '@stoa/contract';
import { type ErrorCode, WorkspaceError } from '@stoa/core';
import { hasEnded, noticeOf } from '../../src/device/device-error.ts';

/** Looks up a code that the service rejects. */
async function rejected(code: ErrorCode): Promise<StoaApiError> {
  const { status, body } = errorResponse(new WorkspaceError(code));
  const client = createStoaClient({
    baseUrl: 'https://files.example.org',
    fetch: () => Promise.resolve(Response.json(body, { status })),
  });
  try {
    await client.lookUpDevice('AAAA-AAAA');
  } catch (error) {
    if (error instanceof StoaApiError) return error;
    throw error;
  }
  assert.fail(`${code} is not rejected`);
}

test('an ended code is reported with the next step and can no longer be approved', async () => {
  const said = {
    invalid_grant: 'Unknown code. Check it on your device, or start again there.',
    expired_token: 'This code has expired. Start again on your device.',
    already_consumed: 'This code was already used. Start again on your device.',
    access_denied: 'This code was denied. Start again on your device.',
  } as const;
  for (const code of ['invalid_grant', 'expired_token', 'already_consumed', 'access_denied'] as const) {
    const error = await rejected(code);
    assert.equal(noticeOf(error), said[code]);
    assert.equal(hasEnded(error), true, code);
  }
});

test('a temporary error leaves the code usable', async () => {
  const tooMany = await rejected('rate_limited');
  assert.equal(noticeOf(tooMany), 'Too many attempts. Try again in a few minutes.');
  assert.equal(hasEnded(tooMany), false);
  const elsewhere = await rejected('device_code_approved');
  assert.equal(noticeOf(elsewhere), 'This code was already approved for another workspace.');
  assert.equal(hasEnded(elsewhere), false);
});

test('an error without its own text shows the message of the service', async () => {
  const error = await rejected('overloaded');
  assert.equal(noticeOf(error), error.message);
});
