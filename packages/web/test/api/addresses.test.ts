import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fileAddress,
  folderAddress,
  locationOf,
  safeNext,
  withChangedSearch,
} from '../../src/api/addresses.ts';

test('a path survives the conversion to an address and back, with any characters', () => {
  for (const path of ['a.md', 'notes/100 %.md', 'a#b?c/ä ö.md', 'd/f/d', '%2F/%25.md', "it's (1)+2&3=4.md"]) {
    assert.deepEqual(locationOf(fileAddress('w1', path)), { kind: 'file', workspaceId: 'w1', path });
    assert.deepEqual(locationOf(folderAddress('w1', path)), { kind: 'folder', workspaceId: 'w1', path });
  }
  assert.deepEqual(locationOf(folderAddress('w1', '')), { kind: 'folder', workspaceId: 'w1', path: '' });
});

test('an address that cannot be decoded is treated as another page', () => {
  assert.deepEqual(locationOf('/w/w1/f/%zz'), { kind: 'elsewhere' });
  assert.deepEqual(locationOf('/w/w1/unknown'), { kind: 'elsewhere' });
  assert.deepEqual(locationOf('/account'), { kind: 'elsewhere' });
  assert.deepEqual(locationOf('/w/w1/settings/members'), {
    kind: 'workspace-page',
    workspaceId: 'w1',
    page: 'settings/members',
  });
});

test('search parameters are changed one by one', () => {
  assert.equal(fileAddress('w', 'a.md', { mode: 'edit', panel: undefined }), '/w/w/f/a.md?mode=edit');
  assert.equal(
    withChangedSearch('/w/w/f/a.md?mode=edit&panel=info', { mode: undefined }),
    '/w/w/f/a.md?panel=info',
  );
});

test('signing in redirects only to a path of this origin', () => {
  const origin = 'https://files.example.org';
  assert.equal(safeNext('/w/1/f/a%20b.md?mode=edit#x', origin), '/w/1/f/a%20b.md?mode=edit#x');
  for (const next of [
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ]) {
    assert.equal(safeNext(next, origin), '/', String(next));
  }
});
