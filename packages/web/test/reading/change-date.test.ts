import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrontMatter } from '@stoa/core/front-matter';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { newNote, newNoteName } from '../../src/calendar/new-note.ts';
import { changeDate } from '../../src/reading/change-date.ts';

const changes: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    'the value on its line, and nothing else',
    '---\ntitle: "a: b"\ndate: 2026-11-20\nx: 1\n---\ntext\n',
    '---\ntitle: "a: b"\ndate: 2026-12-01\nx: 1\n---\ntext\n',
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
  ['a quoted key', '---\n"date": 2026-11-20\n---\n', '---\n"date": 2026-12-01\n---\n'],
  ['a value on the next line', '---\ndate:\n  2026-11-20\n---\n', '---\ndate:\n  2026-12-01\n---\n'],
  ['a value of several lines', '---\ndate: 2026\n  -11\nx: 1\n---\n', '---\ndate: 2026-12-01\nx: 1\n---\n'],
  ['a block scalar', '---\ndate: |\n  2026\nx: 1\n---\n', '---\ndate: 2026-12-01\nx: 1\n---\n'],
  ['an explicit key', '---\n? date\n: 2026-11-20\n---\n', '---\n? date\n: 2026-12-01\n---\n'],
  ['a tag and an anchor', '---\ndate: &d !!str 2026\n---\n', '---\ndate: &d !!str 2026-12-01\n---\n'],
  ['a flow mapping', '---\n{"date":"2026-11-20", a: 1}\n---\n', '---\n{"date":2026-12-01, a: 1}\n---\n'],
  ['no value but a comment', '---\ndate:   # due\n---\n', '---\ndate: 2026-12-01   # due\n---\n'],
  [
    '`date:` in a block scalar',
    '---\na: |\n  date: x\n---\n',
    '---\ndate: 2026-12-01\na: |\n  date: x\n---\n',
  ],
  ['an indented mapping', '---\n  a: 1\n---\n', '---\n  date: 2026-12-01\n  a: 1\n---\n'],
  ['text between two rules', '---\n# A\n- b\n---\nc', '---\ndate: 2026-12-01\n---\n---\n# A\n- b\n---\nc'],
];

for (const [name, before, after] of changes) {
  test(`change of a date: ${name}`, () => {
    assert.equal(changeDate(before, '2026-12-01'), after);
  });
}

const rejected: readonly (readonly [name: string, text: string])[] = [
  ['invalid YAML', '---\ntitle: a: b\ndate: 2026-11-20\n---\n'],
  ['a key that comes twice', '---\ndate: 2026-11-20\n"date": 2026-11-21\n---\n'],
  ['aliases', '---\na: &a 2026-11-20\ndate: *a\n---\n'],
  ['a date that is a list', '---\ndate: [2026-11-20]\n---\n'],
  ['a key without a value in a flow mapping', '---\n{date, a: 1}\n---\n'],
  ['a flow mapping without a date', '---\n{a: 1}\n---\n'],
  ['an explicit key without a value', '---\n? date\n---\n'],
  ['a block that would become too long', `---\na: ${'x'.repeat(64 * 1024 - 16)}\n---\n`],
];

for (const [name, text] of rejected) {
  test(`rejects a change of the date: ${name}`, () => {
    assert.equal(changeDate(text, '2026-12-01'), null);
  });
}

const key = fc.constantFrom(
  'date',
  '"date"',
  "'date'",
  'date ',
  '? date\n',
  'title',
  'Date',
  '"a b"',
  '? [x]\n',
);
const value = fc.constantFrom(
  ...[
    ' 2026-11-20',
    ' "2026-11-20"',
    '',
    ' ~',
    '\n  2026-11-20',
    ' 2026\n  -11',
    ' |\n  date: x',
    ' >-\n  x',
  ],
  ...[
    ' [1, 2]',
    ' { date: x }',
    '\n  date: 2026-11-20',
    '\n- date',
    ' &a x',
    ' *a',
    ' !!str 1',
    ' !x y',
    ' "a\n  b"',
  ],
  ...['   # due', ' x # due: 1', ' a: b', ' "open', '\tx', ' 2026-11-20 #'],
);
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, value).map(([key, value]) => `${key}:${value}`) },
  fc.constantFrom('# date: 1', '', '  ', '{', '}', 'a: {date: x,', '- x', '%YAML 1.2', '... x'),
);
const flow = fc
  .array(
    fc.tuple(fc.constantFrom('date', '"date"', 'a', 'b'), fc.constantFrom(': x', ':2026', '', ': "y"')),
    {
      maxLength: 3,
    },
  )
  .map((pairs) => `{${pairs.map((pair) => pair.join('')).join(', ')}}`);
const block = fc.oneof(
  { weight: 5, arbitrary: fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')) },
  flow,
);

test('changes the date alone, or rejects: any block', () => {
  let changes = 0;
  fc.assert(
    fc.property(
      block,
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\ufeff'),
      (block, lineEnd, mark) => {
        const before = `${mark}---\n${block}\n---\ntext --- date: x\n`.replaceAll('\n', lineEnd);
        const after = changeDate(before, '2026-12-01');
        if (after === null) return;
        changes += 1;
        const [old, now] = [readFrontMatter(before), readFrontMatter(after)];
        assert.ok(now?.map != null, 'front matter is read again');
        assert.equal(now.map.get('date'), '2026-12-01');
        assert.equal(after.slice(now.end), before.slice(old?.end ?? mark.length));
        const rest = (read: typeof now) =>
          JSON.stringify(
            read.map?.items
              .filter(({ key }) => String(key) !== 'date')
              .map(({ key, value }) => [String(key), String(value)]),
          );
        if (old !== null) assert.equal(rest(now), old.map === null ? '[]' : rest(old));
        // Comments and the form of the rest stay: what was taken out is one run, as what was put in.
        const comments = (text: string) => text.match(/# due|# date: 1/g) ?? [];
        assert.deepEqual(comments(after), comments(before));
      },
    ),
    { numRuns: scaled(2000) },
  );
  assert.ok(changes > 100, `${changes} changed`);
});

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
