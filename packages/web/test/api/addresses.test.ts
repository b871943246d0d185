import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import {
  fileAddress,
  folderAddress,
  lineAddress,
  locationOf,
  safeNext,
  soughtLine,
  usableLine,
  withChangedSearch,
} from '../../src/api/addresses.ts';

const root = createRootRoute();
const file = createRoute({ getParentRoute: () => root, path: '/w/$workspaceId/f/$' });

/** The path that the router gives to the page at an address. */
function routedPath(address: string): string | undefined {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([file]), history });
  const match = router.matchRoutes(router.latestLocation).find(({ routeId }) => routeId === file.id);
  return match?.params._splat;
}

test('a path survives the conversion to an address and back, with any characters', () => {
  const odd = [
    '%',
    '%41',
    '%2',
    '%2525',
    '?',
    '#',
    'a\\b',
    'a;b,c@d:e$f',
    '$x',
    ' lead',
    'trail ',
    '😀',
    '\u202eb',
  ];
  const plain = ['a.md', 'notes/100 %.md', 'a#b?c/ä ö.md', 'd/f/d', '%2F/%25.md', "it's (1)+2&3=4.md"];
  for (const path of [...plain, ...odd]) {
    assert.equal(routedPath(fileAddress('w1', path)), path);
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
  assert.equal(withChangedSearch('/w/w/f/a.md#goals', { panel: 'info' }), '/w/w/f/a.md?panel=info#goals');
  assert.equal(withChangedSearch('/w/w/f/a.md?find=x#goals', { find: undefined }), '/w/w/f/a.md#goals');
});

test('the address of a line carries the line and the words, with any characters', () => {
  for (const words of ['budget launch', 'a+b & c=d #1?', '100 %', '  “ö” 😀']) {
    const address = lineAddress('w', 'a.md', { line: 12, words }, { mode: 'edit', panel: undefined });
    assert.match(address, /^\/w\/w\/f\/a\.md\?mode=edit&line=12&find=[^#?&]+$/);
    const search = Object.fromEntries(new URLSearchParams(address.split('?')[1]));
    assert.deepEqual(soughtLine(search), { line: 12, words });
  }
});

test('an address may name only a line or only words', () => {
  assert.deepEqual(soughtLine({ line: '7', mode: 'edit' }), { line: 7, words: '' });
  assert.deepEqual(soughtLine({ find: 'launch' }), { line: 1, words: 'launch' });
  assert.equal(soughtLine({ mode: 'edit' }), null);
  assert.equal(soughtLine({ line: '7', v: '2' }), null);
});

test('unusable parameters of a line are ignored', () => {
  for (const line of ['', '0', '-1', '1.5', '1e3', '012', '99999999', 'last', ' 3', 3, undefined])
    assert.deepEqual(usableLine({ line }), { line: undefined, find: undefined }, String(line));
  for (const find of ['', '  ', 'a\nb', 'x'.repeat(201), 7])
    assert.deepEqual(soughtLine({ line: '2', find }), { line: 2, words: '' }, String(find));
  assert.equal(soughtLine({ line: 'x', find: ' ' }), null);
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
