import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrontMatter } from '../../src/reading/markdown/front-matter.ts';

test('front matter is rows whose texts know where they stand', () => {
  const source =
    '\ufeff---\ntitle: "A: b"\ndate: 2026-11-20\ntags: [x, \'y z\']\nnested:\n  a: 1\nempty:\n---\n# H\n';
  const read = readFrontMatter(source);
  assert.ok(read?.kind === 'rows');
  assert.deepEqual(
    read.rows.map(({ key, values }) => [key.text, ...values.map(({ text }) => text)]),
    [
      ['title', 'A: b'],
      ['date', '2026-11-20'],
      ['tags', 'x', 'y z'],
      ['nested', 'a: 1'],
      ['empty', ''],
    ],
  );
  for (const { key, values } of read.rows) {
    for (const { text, pieces } of [key, ...values]) {
      assert.equal(source.slice(pieces[1] ?? 0, pieces[2] ?? 0), text);
    }
  }
});

test('what is no valid YAML, or no map, is shown as it is', () => {
  for (const content of ['a: b: c', '- x', 'just words', '\t: x']) {
    const read = readFrontMatter(`---\n${content}\n---\n`);
    assert.ok(read?.kind === 'raw');
    assert.equal(read.text.text, content);
  }
  assert.equal(readFrontMatter('# none'), null);
});
