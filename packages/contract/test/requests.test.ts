import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRequest, routes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { z } from 'zod';

function errorOf(schema: z.ZodType, value: unknown): string {
  try {
    parseRequest(schema, value, 'body');
  } catch (error) {
    assert(error instanceof WorkspaceError && error.code === 'invalid_request', String(error));
    return error.message;
  }
  return assert.fail(`accepted ${JSON.stringify(value)}`);
}

const { query: changes } = routes.readChanges;

test('by default the feed is read from the beginning, in pages of 200 changes and without comments', () => {
  assert.deepEqual(parseRequest(changes, {}, 'query'), { limit: 200, includeComments: false });
});

test('a page size above the maximum becomes the maximum', () => {
  for (const limit of ['1000', '1001', '9'.repeat(400)]) {
    assert.equal(parseRequest(changes, { limit }, 'query').limit, 1000, limit);
  }
  assert.equal(parseRequest(changes, { limit: '0' }, 'query').limit, 0);
  assert.equal(parseRequest(routes.searchFiles.query, { q: 'a', limit: '500' }, 'query').limit, 200);
  assert.equal(parseRequest(routes.searchFiles.query, { q: 'a' }, 'query').limit, 50);
});

test('a page size or a cursor that is not a whole number is rejected by name', () => {
  for (const value of ['', ' ', '-1', '+1', '1.5', '1e3', '0x10', 'ten', 'NaN', ['1', '2'], 7]) {
    assert.match(errorOf(changes, { limit: value }), /^limit: /, JSON.stringify(value));
    assert.match(errorOf(changes, { sinceSeq: value }), /^sinceSeq: /, JSON.stringify(value));
  }
  assert.match(errorOf(changes, { sinceSeq: '9007199254740993' }), /^sinceSeq: /);
});

test('comments are included by 1 or true and by nothing else', () => {
  const asked = (includeComments: unknown) =>
    parseRequest(changes, { includeComments }, 'query').includeComments;
  assert.deepEqual([asked('1'), asked('true')], [true, true]);
  assert.deepEqual(
    [asked('0'), asked('false'), asked('TRUE'), asked(''), asked(['1', '1'])],
    Array(5).fill(false),
  );
});

test('a time is read with its zone, and as UTC without one', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  const read = (since: string) => parseRequest(changes, { since }, 'query').since?.getTime();
  for (const since of [
    '2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00.000Z',
    '2026-11-20T12:00:00',
    '2026-11-20T13:00:00+01:00',
    // A + in a query string becomes a space.
    '2026-11-20T13:00:00 01:00',
  ]) {
    assert.equal(read(since), noon, since);
  }
  assert.equal(read('2026-11-20'), Date.UTC(2026, 10, 20));
});

test('an invalid time is rejected', () => {
  for (const since of [
    '',
    'yesterday',
    '1700000000',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-11-20T25:00:00Z',
  ]) {
    assert.match(errorOf(changes, { since }), /^since: must be an ISO 8601 timestamp/, since);
  }
});

test('a cursor and a time together are rejected, because they imply different orders', () => {
  assert.match(errorOf(changes, { sinceSeq: '1', since: '2026-11-20' }), /not both/);
});

test('the feed waits 1 to 30 seconds', () => {
  assert.equal(parseRequest(changes, { wait: '30' }, 'query').wait, 30);
  for (const wait of ['0', '31', '1.5']) assert.match(errorOf(changes, { wait }), /^wait: .*1 to 30/);
});

test('a search text has 1 to 200 characters, counted as users see them', () => {
  const { query } = routes.searchFiles;
  assert.equal(parseRequest(query, { q: '🗂'.repeat(200) }, 'query').q.length, 400);
  for (const q of [undefined, '', 'a'.repeat(201), '🗂'.repeat(201), ['a', 'b']]) {
    assert.match(errorOf(query, { q }), /^q: /);
  }
});

test('the list accepts limit and cursor and ignores them', () => {
  const { query } = routes.listFiles;
  assert.equal(parseRequest(query, { limit: '-1', cursor: ['x', 'y'] }, 'query').prefix, '');
  assert.equal(parseRequest(query, { prefix: 'notes/' }, 'query').prefix, 'notes/');
});

test('an empty text or null clears a field of a workspace, and an absent field stays', () => {
  const { body } = routes.updateWorkspace;
  assert.deepEqual(parseRequest(body, { icon: '', color: null, theme: '', themeCss: '' }, 'body'), {
    icon: null,
    color: null,
    theme: null,
    themeCss: null,
  });
  assert.deepEqual(parseRequest(body, { color: 'rose', theme: 'service' }, 'body'), {
    color: 'rose',
    theme: 'service',
  });
  assert.deepEqual(parseRequest(body, {}, 'body'), {});
});

test('the name of a workspace is 1 to 100 characters and cannot be cleared', () => {
  const { body } = routes.updateWorkspace;
  assert.equal(parseRequest(body, { name: 'é'.repeat(100) }, 'body').name, 'é'.repeat(100));
  for (const name of ['', null, 'a'.repeat(101), 5, 'a\u0000b', '\ud800']) {
    assert.match(errorOf(body, { name }), /^name: /);
  }
});

test('an unknown colour or theme is rejected with the list of valid ones', () => {
  const { body } = routes.updateWorkspace;
  assert.match(errorOf(body, { color: 'mauve' }), /^color: .*blue, violet/);
  assert.match(errorOf(body, { theme: 'Dark' }), /^theme: .*dracula/);
});

test('theme CSS is at most 64 KiB', () => {
  const { body } = routes.updateWorkspace;
  parseRequest(body, { themeCss: 'é'.repeat(32 * 1024) }, 'body');
  assert.match(errorOf(body, { themeCss: 'é'.repeat(32 * 1024 + 1) }), /^themeCss: .*65536 bytes/);
});

test('a key needs no fields: by default it is a human key with a name', () => {
  const { body } = routes.createKey;
  assert.deepEqual(parseRequest(body, undefined, 'body'), {});
  assert.deepEqual(parseRequest(body, { actorType: 'agent' }, 'body'), { actorType: 'agent' });
  for (const actorType of ['robot', 'Agent', 5, null]) {
    assert.deepEqual(parseRequest(body, { actorType }, 'body'), { actorType: 'human' });
  }
});

test('at most 1000 paths are ordered at once', () => {
  const { body } = routes.setNodeOrder;
  parseRequest(body, { paths: Array(1000).fill('a') }, 'body');
  assert.match(errorOf(body, { paths: Array(1001).fill('a') }), /^paths: .*1000/);
});

test('an icon of a file is at most 64 characters, and empty or null clears it', () => {
  const { body } = routes.setNodeIcon;
  assert.equal(parseRequest(body, { path: 'a', icon: '' }, 'body').icon, null);
  assert.equal(parseRequest(body, { path: 'a', icon: null }, 'body').icon, null);
  parseRequest(body, { path: 'a', icon: '🗂'.repeat(64) }, 'body');
  assert.match(errorOf(body, { path: 'a', icon: 'x'.repeat(65) }), /^icon: .*64/);
});

test('a null base version is rejected, because it would silently drop the precondition', () => {
  const { body } = routes.moveFile;
  assert.match(errorOf(body, { from: 'a', to: 'b', baseVersion: null }), /^baseVersion: /);
  for (const baseVersion of [0, -1, 1.5, '1']) {
    assert.match(errorOf(body, { from: 'a', to: 'b', baseVersion }), /^baseVersion: /);
  }
});

test('a body that is not an object is rejected, and many errors are summarised', () => {
  assert.match(errorOf(routes.moveFile.body, 'text'), /^The body: /);
  assert.match(errorOf(routes.moveFile.body, null), /^The body: /);
  assert.match(errorOf(routes.setNodeOrder.body, { paths: [1, 2, 3, 4, 5] }), /; and 2 more$/);
});
