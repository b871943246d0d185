import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type MarkedLine, markWords } from '../../src/history/mark-words.ts';

/** Marks in brackets; a line that has no counterpart with a dash before it. */
function drawn(lines: readonly string[], marked: readonly MarkedLine[]): string[] {
  return lines.map((line, i) => {
    const marks = marked[i]?.marks ?? null;
    if (marks === null) return `-${line}`;
    return marks.reduceRight(
      (text, { start, end }) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
      line,
    );
  });
}

function both(removed: readonly string[], added: readonly string[]): readonly [string[], string[]] {
  const marked = markWords(removed, added);
  return [drawn(removed, marked.removed), drawn(added, marked.added)];
}

test('words that differ are marked in both lines, whole', () => {
  assert.deepEqual(both(['We print 200 booklets.'], ['We print 500 good booklets.']), [
    ['We print [200] booklets.'],
    ['We print [500 good] booklets.'],
  ]);
  assert.deepEqual(both(['one two three'], ['one three']), [['one [two ]three'], ['one three']]);
});

test('lines are paired in their order with what they became, and one that went is not', () => {
  assert.deepEqual(
    both(
      ['- 10:00 Doors open for all', '- 11:00 Tours of the house', '- 12:00 The mayor speaks'],
      ['- 11:00 Doors open for all', '- 11:30 Tours of the house'],
    ),
    [
      ['- [10]:00 Doors open for all', '- 11:[00] Tours of the house', '-- 12:00 The mayor speaks'],
      ['- [11]:00 Doors open for all', '- 11:[30] Tours of the house'],
    ],
  );
});

test('lines that have little in common, very long ones and very many are not marked', () => {
  assert.deepEqual(both(['a b c d'], ['a x y z']), [['-a b c d'], ['-a x y z']]);
  assert.deepEqual(both(['-'], ['+']), [['--'], ['-+']]);
  const long = 'word '.repeat(500);
  assert.deepEqual(markWords([long], [`${long}more`]).removed, [{ marks: null }]);
  const many = Array.from({ length: 21 }, (_, i) => `line ${i} of many`);
  assert.ok(markWords(many, many).removed.every(({ marks }) => marks === null));
});

test('whatever the lines, what is not marked is the same in both', () => {
  const line = fc
    .array(fc.constantFrom('ab', 'ab', 'cd', ' ', ' ', '.', 'ä', '🎈', '\t', 'x1'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), fc.array(line, { maxLength: 4 }), (removed, added) => {
      const marked = markWords(removed, added);
      const rest = (lines: readonly string[], all: readonly MarkedLine[]) =>
        lines.flatMap((text, i) => {
          const marks = all[i]?.marks ?? null;
          if (marks === null) return [];
          assert.ok(marks.every(({ start, end }) => start < end && end <= text.length));
          return [marks.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text)];
        });
      assert.deepEqual(rest(removed, marked.removed), rest(added, marked.added));
    }),
    { numRuns: 2000 },
  );
});
