import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blameLines } from '@stoa/core';
import fc from 'fast-check';

const plenty = 10_000_000;

/** Returns the number of the text for each line. */
function byLine(texts: readonly [string, ...string[]], steps = plenty): number[] {
  const { lines } = blameLines(texts, steps);
  let expected = 1;
  return lines.flatMap(({ from, to, text }) => {
    assert.equal(from, expected);
    expected = to + 1;
    return Array.from({ length: to - from + 1 }, () => text);
  });
}

test('a line belongs to the text that added it', () => {
  assert.deepEqual(byLine(['a\nB\nc\nd\n', 'a\nB\nc\n', 'a\nb\nc\n']), [2, 1, 2, 0]);
});

test('lines below an insertion keep their writer', () => {
  assert.deepEqual(byLine(['0\n1\na\nb', 'a\nb']), [0, 0, 1, 1]);
});

test('one text has all its lines, and an empty one none', () => {
  assert.deepEqual(blameLines(['a\nb\n'], plenty), { lines: [{ from: 1, to: 2, text: 0 }], oldest: 0 });
  assert.deepEqual(blameLines([''], plenty).lines, []);
  assert.deepEqual(byLine(['a\nb', '']), [0, 0]);
});

test('when the budget is used up, the rest belongs to the oldest compared text', () => {
  const texts = Array.from({ length: 20 }, (_, n) => `${20 - n}\n${'same\n'.repeat(50)}`);
  const { lines, oldest } = blameLines([texts[0] ?? '', ...texts.slice(1)], 1);
  assert.equal(oldest, 1);
  assert.deepEqual(new Set(lines.map(({ text }) => text)), new Set([0, 1]));
});

test('a line that no earlier text has belongs to the newest, and each line is reported once', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd');
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((each) => `${each}\n`).join(''));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), ([newest = '', ...older]) => {
      const marked = `${newest}only here\n`;
      const owners = byLine([marked, ...older]);
      const lines = marked.split('\n').slice(0, -1);
      assert.equal(owners.length, lines.length);
      assert.equal(owners.at(-1), 0);
      const texts = [marked, ...older];
      for (const [index, owner] of owners.entries()) {
        // Each text from the newest to its owner has the line.
        for (const each of texts.slice(0, owner + 1))
          assert.ok(each.split('\n').includes(lines[index] ?? ''));
      }
    }),
    { numRuns: 200 },
  );
});
