import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeDate, newNote, newNoteName } from '../../src/calendar/change-date.ts';

const changes: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    'the value on its line, and nothing else',
    '---\ntitle: a: b\ndate: 2026-11-20\nx: 1\n---\ntext\n',
    '---\ntitle: a: b\ndate: 2026-12-01\nx: 1\n---\ntext\n',
  ],
  [
    'spaces, quotes and comments around it',
    '---\ndate :   "2026-11-20"  # due\n---\n',
    '---\ndate :   2026-12-01  # due\n---\n',
  ],
  ['CRLF stays', '---\r\ndate: 2026-11-20\r\n---\r\nx', '---\r\ndate: 2026-12-01\r\n---\r\nx'],
  ['an empty value', '---\ndate:\n---\n', '---\ndate: 2026-12-01\n---\n'],
  ['no date line', '---\ntitle: x\n---\n', '---\ndate: 2026-12-01\ntitle: x\n---\n'],
  ['an empty block', '---\r\n---\r\n', '---\r\ndate: 2026-12-01\r\n---\r\n'],
  [
    'a date below the block is text',
    '---\na: 1\n---\ndate: x\n',
    '---\ndate: 2026-12-01\na: 1\n---\ndate: x\n',
  ],
  [
    'a nested date is not the date',
    '---\na:\n  date: x\n---\n',
    '---\ndate: 2026-12-01\na:\n  date: x\n---\n',
  ],
  ['no front matter', '# Note\r\nx', '---\r\ndate: 2026-12-01\r\n---\r\n# Note\r\nx'],
  ['a byte order mark stays first', '\ufeff# Note', '\ufeff---\ndate: 2026-12-01\n---\n# Note'],
  ['behind a byte order mark', '\ufeff---\ndate: x\n---\n', '\ufeff---\ndate: 2026-12-01\n---\n'],
];

for (const [name, before, after] of changes) {
  test(`change of a date: ${name}`, () => {
    assert.equal(changeDate(before, '2026-12-01'), after);
  });
}

test('a new note has the date of its day and a name that is free', () => {
  assert.equal(newNote('2026-11-20'), '---\ndate: 2026-11-20\n---\n\n');
  const taken = new Set(['2026-11-20.md', '2026-11-20 2.md']);
  assert.equal(
    newNoteName('2026-11-20', () => false),
    '2026-11-20.md',
  );
  assert.equal(
    newNoteName('2026-11-20', (name) => taken.has(name)),
    '2026-11-20 3.md',
  );
});
