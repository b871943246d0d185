import assert from 'node:assert/strict';
import { type HttpResponse, jsonOf } from './response.ts';

/** Asserts the body of an error: status, one text under two names, and `data` only where expected. */
export function assertRejection(
  response: HttpResponse,
  status: number,
  expected: { readonly says?: string | RegExp; readonly data?: unknown } = {},
): void {
  const shown = `${response.status} ${response.bytes.toString('utf8')}`;
  assert.equal(response.status, status, shown);
  const body = jsonOf(response);
  assert.equal(body.statusCode, status, shown);
  assert.ok(typeof body.statusMessage === 'string' && body.statusMessage !== '', shown);
  assert.equal(body.message, body.statusMessage, shown);
  if (typeof expected.says === 'string') assert.equal(body.statusMessage, expected.says, shown);
  if (expected.says instanceof RegExp) assert.match(body.statusMessage, expected.says, shown);
  if ('data' in expected) assert.deepEqual(body.data, expected.data, shown);
  const known = new Set(['statusCode', 'statusMessage', 'message', 'data']);
  assert.deepEqual(
    Object.keys(body).filter((name) => !known.has(name)),
    [],
    shown,
  );
}

/** Asserts a flat body: exactly these fields. */
export function assertFlat(
  response: HttpResponse,
  status: number,
  body: Readonly<Record<string, unknown>>,
): void {
  assert.equal(response.status, status, `${response.status} ${response.bytes.toString('utf8')}`);
  assert.deepEqual(jsonOf(response), body);
}
