import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRequest, routes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';

const range = { path: 'a.md', body: 'Why?', kind: 'range', quote: 'text' } as const;
const point = { path: 'a.md', body: 'Why?', kind: 'point', contextBefore: '', contextAfter: 'x' } as const;

const parse = (body: unknown) => parseRequest(routes.startThread.body, body, 'body');
const rejected = (says: RegExp) => (error: unknown) =>
  error instanceof WorkspaceError && error.code === 'invalid_request' && says.test(error.message);

test('a thread has a quote, or two contexts', () => {
  assert.deepEqual(parse(range), range);
  assert.deepEqual(parse(point), point);
  assert.throws(() => parse({ ...range, quote: undefined }), rejected(/^quote: is needed/));
  assert.throws(() => parse({ ...point, quote: 'x' }), rejected(/^quote: is not for a point/));
  assert.throws(() => parse({ ...point, contextBefore: undefined }), rejected(/^contextBefore: is needed/));
  assert.throws(() => parse({ ...point, contextAfter: '' }), rejected(/^contextBefore: must not be empty/));
});

test('sizes are counted in bytes, and the error names the limit', () => {
  parse({ ...range, quote: '\u{1f600}'.repeat(1024) });
  assert.throws(() => parse({ ...range, quote: `${'\u{1f600}'.repeat(1024)}x` }), rejected(/4096 bytes/));
  assert.throws(() => parse({ ...range, body: 'x'.repeat(65_537) }), rejected(/65536 bytes/));
  assert.throws(() => parse({ ...range, contextAfter: 'é'.repeat(257) }), rejected(/512 bytes/));
});

test('text that no database could store is rejected', () => {
  assert.throws(() => parse({ ...range, body: 'a\0b' }), rejected(/^body: /));
  assert.throws(() => parse({ ...range, body: 'half \ud83d' }), rejected(/^body: /));
  assert.throws(() => parse({ ...range, quote: 'half \ud83d' }), rejected(/^quote: /));
});

test('pages are clamped to their maximum', () => {
  const query = parseRequest(routes.listComments.query, { limit: '1000', entriesLimit: '1000' }, 'query');
  assert.deepEqual([query.limit, query.entriesLimit], [200, 100]);
  const empty = parseRequest(routes.listComments.query, {}, 'query');
  assert.deepEqual([empty.limit, empty.entriesLimit], [50, 20]);
});
