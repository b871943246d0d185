import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearchQuery, WorkspaceError } from '../../src/index.ts';
import { foundPaths, listOf, search } from './support/run-search.ts';

test('characters match in order and need not be adjacent', () => {
  const files = listOf(['meeting notes.md']);
  assert.deepEqual(foundPaths(files, 'mtnts'), ['meeting notes.md']);
  assert.deepEqual(foundPaths(files, 'stm'), []);
});

test('the terms of a query match in the order in which they stand', () => {
  const files = listOf(['meeting-notes.md']);
  assert.deepEqual(foundPaths(files, 'meeting notes'), ['meeting-notes.md']);
  assert.deepEqual(foundPaths(files, '  meeting \t notes '), ['meeting-notes.md']);
  assert.deepEqual(foundPaths(files, 'notes meeting'), []);
});

test('a character of the path is taken once', () => {
  assert.deepEqual(foundPaths(listOf(['abc', 'abbc']), 'bb'), ['abbc']);
});

test('folders are found once each by the files below them', () => {
  const { results, totalMatches } = search(listOf(['docs/a.md', 'docs/b/c.md', 'docs-old/d.md']), 'docs');
  assert.deepEqual(
    results.filter(({ isDir }) => isDir).map(({ path, name }) => [path, name]),
    [
      ['docs', 'docs'],
      ['docs/b', 'b'],
      ['docs-old', 'docs-old'],
    ].sort((a, b) => results.findIndex((r) => r.path === a[0]) - results.findIndex((r) => r.path === b[0])),
  );
  assert.equal(totalMatches, 6);
});

test('a folder of many files is found once', () => {
  const paths = Array.from({ length: 1000 }, (_, i) => `folder/sub/${String(i).padStart(4, '0')}.md`);
  const { results, totalMatches } = search(listOf(paths), 'folder');
  assert.equal(totalMatches, 1002);
  assert.deepEqual(
    results
      .filter(({ isDir }) => isDir)
      .map(({ path }) => path)
      .sort(),
    ['folder', 'folder/sub'],
  );
});

test('placeholders are never found, the folders that they keep are', () => {
  const files = listOf(['empty/deep/.keep', '.keep', 'x.keep', '.keeper']);
  assert.deepEqual(foundPaths(files, 'deep'), ['empty/deep']);
  assert.deepEqual(foundPaths(files, 'keep').sort(), ['.keeper', 'x.keep']);
});

test('folders that differ in case are two folders', () => {
  const { results } = search(listOf(['Docs/a.md', 'docs/a.md']), 'docs');
  assert.deepEqual(
    results.filter(({ isDir }) => isDir).map(({ path }) => path),
    ['Docs', 'docs'],
  );
});

test('case never matters, in no language', () => {
  for (const [path, query] of [
    ['İstanbul', 'i'],
    ['ISTANBUL', 'ıstanbul'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδος', 'ΟΔΟΣ'],
    ['ﬁle', 'FILE'],
    ['Ǆungla', 'ǆ'],
    ['𐐀deseret', '𐐨'],
  ] as const) {
    assert.deepEqual(foundPaths(listOf([path]), query), [path.normalize('NFC')], `${query} in ${path}`);
  }
});

test('a character beyond the first plane matches as a whole', () => {
  // 😀 is d83d de00, 🔀 is d83d dd00, 𝘀 is d835 de00: halves of two of them make the third.
  assert.deepEqual(foundPaths(listOf(['🔀𝘀']), '😀'), []);
  assert.deepEqual(foundPaths(listOf(['🔀😀𝘀']), '😀'), ['🔀😀𝘀']);
});

test('an empty workspace has no matches', () => {
  assert.deepEqual(search([], 'a'), { results: [], totalMatches: 0, truncated: false });
});

test('a result shows whether there are more matches', () => {
  const files = listOf(['a1', 'a2', 'a3']);
  assert.equal(search(files, 'a', { limit: 3 }).truncated, false);
  const { results, totalMatches, truncated } = search(files, 'a', { limit: 2 });
  assert.deepEqual([results.map(({ path }) => path), totalMatches, truncated], [['a1', 'a2'], 3, true]);
  assert.deepEqual(search(files, 'a', { limit: 0 }), { results: [], totalMatches: 3, truncated: true });
});

test('an empty query and one of more than 200 characters are rejected', () => {
  const rejected = (text: string) =>
    assert.throws(
      () => parseSearchQuery(text),
      (error) => {
        return error instanceof WorkspaceError && error.code === 'invalid_request';
      },
    );
  rejected('');
  rejected(' \t\u00a0');
  rejected('a'.repeat(201));
  rejected('😀'.repeat(201));
  parseSearchQuery('😀'.repeat(200));
});
