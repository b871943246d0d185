import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoaApiError, StoaConnectionError } from '@stoa/client';
import { failureOf, resultOfFailedWrite } from '../../src/saving/api-responses.ts';

const pauseMs = (seconds: number | null) => (seconds ?? 1) * 1000;
const rejection = (
  status: number,
  data: Readonly<Record<string, unknown>> = {},
  retryAfterSeconds: number | null = null,
) => new StoaApiError(`refused with ${status}`, { status, data, retryAfterSeconds });

test('each rejection of a PUT is mapped to its meaning', () => {
  const lost = { kind: 'lost', pauseMs: 1000 };
  for (const [error, response] of [
    [rejection(401, { error: 'unauthorized' }), { kind: 'signed_out' }],
    [rejection(402, { error: 'workspace_read_only' }), { kind: 'read_only' }],
    // The path is missing or hidden from this user. The engine sends no more to it.
    [rejection(403, { error: 'forbidden' }), { kind: 'gone' }],
    [rejection(404, { error: 'not_found' }), { kind: 'gone' }],
    [rejection(413, { limit_bytes: 7 }), { kind: 'too_large', limitBytes: 7 }],
    // The limit of a proxy, which is unknown.
    [rejection(413), { kind: 'rejected', message: 'refused with 413' }],
    [rejection(400, { error: 'empty_content' }), { kind: 'rejected', message: 'refused with 400' }],
    [rejection(409), { kind: 'rejected', message: 'refused with 409' }],
    [rejection(408), lost],
    [rejection(429, {}, 7), { kind: 'busy', pauseMs: 7000 }],
    [rejection(503, { error: 'overloaded' }, 3), { kind: 'busy', pauseMs: 3000 }],
    [rejection(503, { error: 'storage_full' }), { kind: 'rejected', message: 'refused with 503' }],
    // Not an error of the service itself, so the write may have happened.
    [rejection(503), lost],
    [rejection(502), lost],
    [rejection(500, { error: 'internal_error' }), lost],
    [new StoaConnectionError('broken off'), lost],
  ] as const)
    assert.deepEqual(resultOfFailedWrite(error, pauseMs), response, error.message);
});

test('errors that stop a read are mapped, and a bug in the app is thrown', () => {
  assert.deepEqual(failureOf(rejection(403), pauseMs), { kind: 'gone' });
  assert.deepEqual(failureOf(rejection(401), pauseMs), { kind: 'signed_out' });
  assert.throws(() => failureOf(new TypeError('a mistake'), pauseMs), /a mistake/);
});
