import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTexts, overlapTexts } from '@stoa/core';

const roomy = { textMaxCharacters: 100, maxBytes: 10_000 };

function overlapsOf(base: string, mine: string, theirs: string, limits = roomy) {
  const { overlaps } = mergeTexts(base, mine, theirs, { within: 'lines' });
  return overlapTexts({ base, mine, theirs }, overlaps, limits);
}

test('each overlap has its line in their text and the text of all three versions', () => {
  const base = 'a\nb\nc\nd\ne\n';
  assert.deepEqual(overlapsOf(base, 'a\nB\nc\nd\nE\n', '0\na\nbb\nc\nd\nee\n'), {
    shown: [
      { line: 3, base: 'b\n', mine: 'B\n', theirs: 'bb\n' },
      { line: 6, base: 'e\n', mine: 'E\n', theirs: 'ee\n' },
    ],
    left: 0,
  });
});

test('a deleted stretch is an empty text at the line after it', () => {
  assert.deepEqual(overlapsOf('a\nb\nc\n', 'a\nB\nc\n', 'a\nc\n').shown, [
    { line: 2, base: 'b\n', mine: 'B\n', theirs: '' },
  ]);
});

test('long texts are cut, and of many overlaps the first are shown', () => {
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}\n\nkept ${n}\n`).join('');
  const mine = lines.replaceAll(/^line/gm, `mine ${'m'.repeat(40)}`);
  const theirs = lines.replaceAll(/^line/gm, 'theirs');
  const { shown, left } = overlapsOf(lines, mine, theirs, { textMaxCharacters: 20, maxBytes: 1_000 });
  assert.equal(shown.length + left, 50);
  assert.ok(shown.length > 5 && left > 20);
  assert.equal(shown[0]?.mine, `mine ${'m'.repeat(15)}…`);
  assert.equal(overlapsOf(lines, mine, theirs, { textMaxCharacters: 20, maxBytes: 1 }).shown.length, 1);
});
