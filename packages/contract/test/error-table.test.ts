import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorResponse, errorTable } from '@stoa/contract';
import { type ErrorCode, WorkspaceError } from '@stoa/core';

const statuses: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['invalid_path', 'invalid_request', 'invalid_precondition', 'empty_body', 'device_code_required'],
  401: ['unauthorized', 'invalid_api_key'],
  402: ['workspace_read_only', 'workspace_limit_exceeded'],
  403: [
    'key_management_needs_session',
    'session_required',
    'key_not_scoped',
    'not_a_member',
    'cross_site_request',
    'access_denied',
  ],
  404: ['workspace_not_found', 'file_not_found', 'version_not_found', 'key_not_found', 'invalid_grant'],
  405: ['method_not_allowed'],
  409: ['destination_exists', 'path_taken', 'device_code_approved'],
  410: ['expired_token', 'already_consumed'],
  413: ['file_too_large', 'request_too_large'],
  428: ['precondition_required'],
  429: ['rate_limited', 'slow_down'],
  502: ['stored_bytes_missing'],
};

test('each error has the documented status of its condition', () => {
  for (const [status, codes] of Object.entries(statuses)) {
    for (const code of codes) assert.equal(errorTable[code].status, Number(status), code);
  }
});

test('the texts that clients compare are exact', () => {
  const textOf = (code: ErrorCode) => errorTable[code].statusMessage;
  assert.equal(
    textOf('key_management_needs_session'),
    'Key management requires a logged-in session, not an API key',
  );
  assert.equal(textOf('key_not_scoped'), 'Key is not scoped to this workspace');
  assert.equal(textOf('not_a_member'), 'Not a workspace member');
});

test('a text fits on a status line', () => {
  for (const [code, { statusMessage, prefix = '' }] of Object.entries(errorTable)) {
    assert.match(prefix + statusMessage, /^[\x20-\x7e]{5,120}$/, code);
  }
});

test('an error body repeats its text and has no data by default', () => {
  assert.deepEqual(errorResponse(new WorkspaceError('file_not_found')), {
    status: 404,
    headers: {},
    body: { statusCode: 404, statusMessage: 'File not found', message: 'File not found' },
  });
});

test("an error's own message replaces the standard one", () => {
  const { body } = errorResponse(new WorkspaceError('invalid_request', {}, 'limit: must be a whole number'));
  assert.deepEqual(body, {
    statusCode: 400,
    statusMessage: 'limit: must be a whole number',
    message: 'limit: must be a whole number',
  });
});

test('a rejected path has its reason', () => {
  const { body } = errorResponse(new WorkspaceError('invalid_path', {}, 'the path is empty'));
  assert.equal(body['message' as keyof typeof body], 'Invalid path: the path is empty');
});

test('a rejected key has its reason, so that a revoked key differs from a mistyped one', () => {
  const { status, body } = errorResponse(new WorkspaceError('invalid_api_key', { reason: 'KEY_EXPIRED' }));
  assert.equal(status, 401);
  assert.deepEqual((body as { data?: unknown }).data, { error: 'invalid_api_key', reason: 'KEY_EXPIRED' });
});

test('the error of a too large file contains the limit', () => {
  const { status, body } = errorResponse(new WorkspaceError('file_too_large', { limitBytes: 100 }));
  assert.equal(status, 413);
  assert.deepEqual((body as { data?: unknown }).data, { error: 'file_too_large', limit_bytes: 100 });
});

test('limits of the plan have flat bodies with nothing added', () => {
  assert.deepEqual(errorResponse(new WorkspaceError('workspace_read_only')).body, {
    error: 'workspace_read_only',
  });
  assert.deepEqual(
    errorResponse(new WorkspaceError('workspace_limit_exceeded', { used: 3, limit: 3 })).body,
    {
      error: 'workspace_limit_exceeded',
      used: 3,
      limit: 3,
    },
  );
});

test('a temporary rejection contains the time to retry', () => {
  assert.deepEqual(errorResponse(new WorkspaceError('rate_limited', { retryAfterSeconds: 12.2 })).headers, {
    'Retry-After': '13',
  });
  assert.deepEqual(errorResponse(new WorkspaceError('range_not_satisfiable', { sizeBytes: 10 })).headers, {
    'Content-Range': 'bytes */10',
  });
  assert.deepEqual(errorResponse(new WorkspaceError('method_not_allowed', { allow: 'GET, PUT' })).headers, {
    Allow: 'GET, PUT',
  });
});
