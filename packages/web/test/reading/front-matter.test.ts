import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrontMatter } from '../../src/reading/front-matter.ts';

test('front matter is rows whose texts know where they stand', () => {
  const source =
    '\ufeff---\ntitle: "A: b"\ndate: 2026-11-20\ntags: [x, \'y z\']\nnested:\n  a: 1\nempty:\n---\n# H\n';
  const read = readFrontMatter(source);
  assert.ok(read !== null);
  assert.equal(source.slice(read.end), '# H\n');
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
    for (const { text, ranges: chunks } of [key, ...values]) {
      assert.equal(source.slice(chunks[1] ?? 0, chunks[2] ?? 0), text);
    }
  }
});

test('a block with an error, or one that is not a mapping, is ordinary markdown, as for the server', () => {
  for (const content of [
    'a: b: c',
    '- x',
    'just words',
    '\t: x',
    'a: 1\na: 2',
    'a: &x 1\nb: *x',
    '# Heading',
  ]) {
    assert.equal(readFrontMatter(`---\n${content}\n---\n`), null, content);
  }
  const text = '---\nTuesday: we met.\n\n## Terms\n\nAll sales are final.\n\n---\n\nThank you.\n';
  assert.equal(readFrontMatter(text), null);
  assert.equal(readFrontMatter('# none'), null);
  assert.deepEqual(readFrontMatter('---\n---\ntext')?.rows, []);
});
