import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGlob, parseGlob, parsePathGlob } from '../../src/index.ts';

test('a glob stands for names, or for whole paths when it has a slash', () => {
  for (const [pattern, matched, others] of [
    ['*.md', ['a.md', 'A.MD', '.md'], ['a.mdx', 'md', 'a/b.md']],
    ['pl?n*', ['plan', 'plan.md', 'PLxN-2'], ['pln', 'a/plan']],
    ['notes/*.md', ['notes/a.md'], ['notes/b/a.md', 'a.md']],
    ['notes/**.md', ['notes/a.md', 'notes/b/a.md'], ['a.md']],
    ['**/2026-??/*', ['a/b/2026-11/x', '/2026-01/'], ['2026-1/x', 'a/2026-11/b/x']],
    ['?', ['a', '😀'], ['', 'ab', '/']],
    ['a.b*[x]', ['a.b[x]', 'a.bc[x]'], ['axb[x]', 'a.bx']],
  ] as const) {
    const glob = parseGlob(pattern);
    assert.equal(glob.isOfPaths, pattern.includes('/'));
    for (const each of matched) assert.ok(glob.matches(each), `${pattern} ${each}`);
    for (const each of others) assert.ok(!glob.matches(each), `${pattern} ${each}`);
  }
  assert.ok(isGlob('a*') && isGlob('?') && !isGlob('plan.md'));
});

test('a glob at its limits costs a few words for each character of the longest path', () => {
  // A path of 1,024 characters and a pattern that matches it in more ways than there are atoms, but for its end.
  const path = `${'a/'.repeat(511)}aa`;
  for (const pattern of [
    `${'**a/'.repeat(20)}b`,
    `${'*a'.repeat(20)}${'?'.repeat(160)}`,
    `${'**a'.repeat(20)}b`,
  ]) {
    const glob = parseGlob(pattern);
    assert.ok(glob.words <= 7, `${glob.words}`);
    assert.ok(!glob.matches(path), pattern);
    const ends: number[] = [];
    glob.visitMatches(path, (end) => ends.push(end));
    assert.deepEqual(ends, []);
  }
});

test('folders of a path are matched in one reading of it', () => {
  for (const [pattern, path] of [
    ['a/**', 'a/b/c.md'],
    ['b*', 'a/b/bc/d'],
    ['**/c', 'A/İ/C/c'],
    ['*', 'a/b'],
  ] as const) {
    const glob = parseGlob(pattern);
    const found: string[] = [];
    glob.visitMatches(path, (end) => found.push(path.slice(0, end)));
    const parts = path.split('/');
    const all = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    const expected = all.filter((each, at) => glob.matches(glob.isOfPaths ? each : (parts[at] ?? '')));
    assert.deepEqual(found, expected, pattern);
  }
});

test('a glob beyond its limits names them', () => {
  assert.throws(() => parseGlob(`*${'a'.repeat(200)}`), /at most 200 characters/);
  assert.throws(() => parsePathGlob('**a/'.repeat(21)), /at most 20 stars, this one has 21/);
  parseGlob('**a/'.repeat(20));
  parseGlob(`*${'😀'.repeat(199)}`);
});

test('in a glob of paths brackets hold characters, and each has its counterpart', () => {
  for (const [pattern, matched, others] of [
    ['notes/[a-c]*.md', ['notes/a.md', 'NOTES/C1.md'], ['notes/d.md', 'notes/.md']],
    ['202[!0-4]-*', ['2025-x'], ['2020-x', '202-x']],
    ['a[[]1[]]*', ['a[1]', 'a[1]x'], ['a1']],
    ['a[]]*', ['a]'], ['a[', 'a']],
    ['a[!x]b/?', ['ayb/c'], ['a/b/c', 'axb/c']],
  ] as const) {
    const glob = parsePathGlob(pattern);
    for (const each of matched) assert.ok(glob.matches(each), `${pattern} ${each}`);
    for (const each of others) assert.ok(!glob.matches(each), `${pattern} ${each}`);
  }
  for (const pattern of ['[a*', 'a]*', '*[', '[]*', '[!]*', 'a[b/c]*']) {
    assert.throws(() => parsePathGlob(pattern), /bracket/, pattern);
  }
});
