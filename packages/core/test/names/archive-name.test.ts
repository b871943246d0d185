import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveName, parseWorkspacePath, pathOfArchiveName } from '../../src/index.ts';

for (const [path, name] of [
  ['notes/plan.md', 'notes/plan.md'],
  ['100% done.md', '100% done.md'],
  ['Größe/日本語 ✓.md', 'Größe/日本語 ✓.md'],
  ['a:b*c?.md', 'a%3Ab%2Ac%3F.md'],
  ['a%3Ab.md', 'a%253Ab.md'],
  ['ends./with. ', 'ends%2E/with.%20'],
  ['CON/aux.txt', '%43ON/%61ux.txt'],
  ['.git/config', '%2Egit/config'],
  ['.STOA/x', '%2ESTOA/x'],
  ['.hg/hgrc', '%2Ehg/hgrc'],
  ['_darcs/prefs', '%5Fdarcs/prefs'],
  ['a/HEAD', 'a/HEAD'],
] as const) {
  test(`in an archive ${path} is called ${name}, from which the path can be had again`, () => {
    assert.equal(archiveName(parseWorkspacePath(path)), name);
    assert.equal(pathOfArchiveName(name), path);
  });
}

test('a path that is too long to be a name has none', () => {
  const segment = 'x'.repeat(250);
  assert.equal(archiveName(parseWorkspacePath(Array(5).fill(segment).join('/').slice(0, 1020))), null);
});

test('a HEAD that would make a repository has another name in an archive', () => {
  const name = archiveName(parseWorkspacePath('a/head'), true);
  assert.equal(name, 'a/%68ead');
  assert.equal(pathOfArchiveName(name ?? ''), 'a/head');
});
