import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { applyTextEdits, mergeTexts } from '../../src/index.ts';

function merged(
  base: string,
  mine: string,
  theirs: string,
  within: 'lines' | 'words' = 'words',
): string | null {
  const { edits, overlaps } = mergeTexts(base, mine, theirs, { within });
  return overlaps.length > 0 ? null : applyTextEdits(mine, edits);
}

/** Within words; null is an overlap. By lines none of them merges. */
const table: readonly (readonly [
  name: string,
  base: string,
  mine: string,
  theirs: string,
  merged: string | null,
])[] = [
  ['two words of one line', 'one two three\n', 'ONE two three\n', 'one two THREE\n', 'ONE two THREE\n'],
  ['neighbouring words', 'one two three\n', 'ONE two three\n', 'one TWO three\n', null],
  ['the same word in two ways', 'one two three\n', 'one 2 three\n', 'one II three\n', null],
  [
    'neighbouring lines',
    'one two\nthree four\n',
    'ONE two\nthree four\n',
    'one two\nthree FOUR\n',
    'ONE two\nthree FOUR\n',
  ],
  ['no word between two lines', 'one\ntwo\n', 'ONE\ntwo\n', 'one\nTWO\n', null],
  [
    'a task ticked, its text changed',
    '- [ ] buy milk\n',
    '- [x] buy milk\n',
    '- [ ] buy oat milk\n',
    '- [x] buy oat milk\n',
  ],
  ['a mark is no word', 'a, b\n', 'A, b\n', 'a, B\n', null],
  ['two parts of a date', 'on 2026-11-20 at\n', 'on 2025-11-20 at\n', 'on 2026-11-21 at\n', null],
  ['two parts of a number', 'for 1,000.50 each\n', 'for 2,000.50 each\n', 'for 1,000.75 each\n', null],
  [
    'two parts of an address',
    'see https://a.example/b?c=d now\n',
    'see http://a.example/b?c=d now\n',
    'see https://a.example/b?c=e now\n',
    null,
  ],
  ['two items of a list without spaces', 'a,b,c\n', 'A,b,c\n', 'a,b,C\n', 'A,b,C\n'],
  ['both append to a line', 'one two\n', 'one two mine\n', 'one two theirs\n', null],
  ['both insert at one place', 'one\n', 'one\nmine\n', 'one\ntheirs\n', null],
  ['a line deleted, one of its words changed', 'a\nb c d\ne\n', 'a\ne\n', 'a\nb C d\ne\n', null],
  [
    'a paragraph wrapped anew, a word far from the break changed',
    'a b c d e f\n',
    'a b c\nd e f\n',
    'a b c d e F\n',
    'a b c\nd e F\n',
  ],
  [
    'other line ends, a word changed',
    'a b c\nd e f\n',
    'a b c\r\nd e f\r\n',
    'a B c\nd e f\n',
    'a B c\r\nd e f\r\n',
  ],
  ['the last line end taken off, a word changed', 'a b c\n', 'a b c', 'A b c\n', 'A b c'],
  ['characters without spaces', '今日は良い日\n', '昨日は良い日\n', '今日は悪い日\n', '昨日は悪い日\n'],
  [
    'alike in one word, apart in another',
    'one two three four\n',
    'ONE two three\n',
    'ONE two 3 four\n',
    null,
  ],
  [
    'the same word alike, and one more',
    'one two three\n',
    'ONE two three\n',
    'ONE two THREE\n',
    'ONE two THREE\n',
  ],
];
for (const [name, base, mine, theirs, expected] of table) {
  test(`within words: ${name}`, () => {
    assert.equal(merged(base, mine, theirs), expected);
    assert.equal(merged(base, mine, theirs, 'lines'), null);
  });
}

test('line ends and a byte order mark are kept as they are', () => {
  const base = '\ufeffa\r\nb\nc\r\nd';
  assert.equal(merged(base, '\ufeffA\r\nb\nc\r\nd', '\ufeffa\r\nb\nc\r\nD', 'lines'), '\ufeffA\r\nb\nc\r\nD');
  assert.equal(merged('a\rb\n', 'a\rB\n', 'A\rb\n', 'lines'), null, 'a carriage return alone ends no line');
});

test('an edit contains only the new text, so that a caret next to it stays', () => {
  const edit = (base: string, theirs: string) => mergeTexts(base, base, theirs, { within: 'words' }).edits;
  assert.deepEqual(edit('Hel there\n', 'Hello there\n'), [{ start: 3, end: 3, text: 'lo' }]);
  assert.deepEqual(edit('one two three four\n', 'ONE two three FOUR\n'), [
    { start: 0, end: 3, text: 'ONE' },
    { start: 14, end: 18, text: 'FOUR' },
  ]);
  assert.deepEqual(mergeTexts('a b c\n', 'a b c\n', 'a B c\n', { within: 'lines' }).edits, [
    { start: 2, end: 3, text: 'B' },
  ]);
});

test('a smiley replaced by one that shares half of its units is replaced whole', () => {
  for (const within of ['lines', 'words'] as const) {
    assert.deepEqual(mergeTexts('🙂\n', '🙂\n', '😀\n', { within }).edits, [
      { start: 0, end: 2, text: '😀' },
    ]);
    assert.deepEqual(mergeTexts('\u{1f602}\n', '\u{1f602}\n', '\u{1fa02}\n', { within }).edits, [
      { start: 0, end: 2, text: '\u{1fa02}' },
    ]);
  }
});

test('an overlap is named on all three sides, in whole lines; the rest is merged around it', () => {
  const base = 'top\n\none\n\nend\n';
  const mine = 'TOP\n\nein\n\nend\n';
  const theirs = 'top\n\nun\ndeux\n\nEND\n';
  const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: 'words' });
  assert.deepEqual(overlaps, [
    { base: { start: 5, end: 9 }, mine: { start: 5, end: 9 }, theirs: { start: 5, end: 13 } },
  ]);
  assert.equal(applyTextEdits(mine, edits), 'TOP\n\nein\n\nEND\n');
});

test('the table of docs/merging.md is true', async () => {
  const page = await readFile(new URL('../../../../docs/merging.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(.*)` \| `(.*)` \| `(.*)` \| (.*) \| (.*) \|$/gm)];
  assert.ok(rows.length > 3);
  for (const [row, base, mine, theirs, lines, words] of rows) {
    for (const [said, within] of [
      [lines, 'lines'],
      [words, 'words'],
    ] as const) {
      const text = merged(`${base}\n`, `${mine}\n`, `${theirs}\n`, within);
      assert.ok(
        text === null ? said?.startsWith('overlap') : said === `\`${text.trimEnd()}\``,
        `${within}: ${row}`,
      );
    }
  }
});
