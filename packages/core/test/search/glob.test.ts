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

test('a pattern that can match in many ways costs no more than its length', () => {
  assert.ok(!parseGlob(`${'*a'.repeat(90)}*b`).matches('a'.repeat(1000)));
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
