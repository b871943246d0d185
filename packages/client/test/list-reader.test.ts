import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createListReader, listEntryMaxCharacters } from '../src/list-reader.ts';

const entries = [
  { path: 'a "quoted" \\ [name] {x}.md', size: 1, frontMatter: { title: ']}"' } },
  { path: 'é😀\u2028', tags: [[], [{ a: [] }]] },
  {},
];
const values = [
  { entries: [], icons: {}, nextCursor: null },
  { entries, icons: { 'a,"entries":[': '{' }, orders: { a: 1 }, privatePaths: ['[', '"'], nextCursor: null },
  { later: [{ entries }], entries, more: [[{}], {}] },
  { later: 'entries', entries: [entries[0]] },
  { entries: [1, 'text', null, [[]]] },
  { entries: { a: [1] } },
  { other: 1 },
  [{ entries }],
  null,
  'text',
];

function readIn(size: number, text: string): unknown {
  const reader = createListReader();
  for (let at = 0; at < text.length; at += size) reader.add(text.slice(at, at + size));
  return reader.end();
}

test('a list is read as JSON.parse reads it, regardless of chunk boundaries', () => {
  for (const value of values) {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      for (const size of [1, 2, 3, 7, 64, 10_000]) assert.deepEqual(readIn(size, text), value, text);
    }
  }
});

test('text that is not JSON is rejected', () => {
  const wrong = [
    '',
    '{"entries":[{}',
    '{"entries":[{}]',
    '{"entries":[{} {}]}',
    '{"entries":[{},]}',
    '{"entries":[,{}]}',
    '{"entries":[{}x]}',
    '{"entries":[{}}}',
    '{"entries":[{"a":}]}',
    '{"entries":[{}]]}',
    '{"entries":[{}],"entries":[{}]}',
    '{"entries":[{}],}',
    '[1,"entries":[{}]]',
  ];
  for (const text of wrong) {
    for (const size of [1, 5, 1000])
      assert.throws(() => readIn(size, text), SyntaxError, `${text} by ${size}`);
  }
});

test('one entry has a size limit, and many entries below it are read', () => {
  const long = { path: 'a'.repeat(listEntryMaxCharacters - 20) };
  const list = JSON.stringify({ entries: [long, long, long] });
  assert.deepEqual(readIn(1000, list), JSON.parse(list));
  const tooLong = JSON.stringify({ entries: [{}, { path: 'a'.repeat(listEntryMaxCharacters) }] });
  for (const size of [1000, 100_000]) assert.throws(() => readIn(size, tooLong), RangeError);
});
