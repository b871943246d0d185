import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { movedRange } from '../../src/saving/moved-range.ts';

const base = '# Plan\n\nThe quick brown fox jumps.\n\nThe end.\n';

function moved(to: string, passage: string): string | null {
  const start = base.indexOf(passage);
  const range = movedRange(base, to, { start, end: start + passage.length });
  return range === null ? null : to.slice(range.start, range.end);
}

test('a passage keeps its words when something is typed elsewhere', () => {
  assert.equal(moved(`New.\n\n${base}`, 'brown fox'), 'brown fox');
  assert.equal(moved(base.replace('quick', 'very quick'), 'brown fox'), 'brown fox');
  assert.equal(moved(base.replace('jumps', 'sleeps').replace('The quick', 'A'), 'brown fox'), 'brown fox');
});

test('text typed right before or after a passage is not part of it, text typed inside is', () => {
  assert.equal(moved(base.replace('brown', 'very brown'), 'brown fox'), 'brown fox');
  assert.equal(moved(base.replace('fox ', 'fox then '), 'brown fox'), 'brown fox');
  assert.equal(moved(base.replace('brown fox', 'brown old fox'), 'brown fox'), 'brown old fox');
});

test('a deleted passage has no range; a partly deleted one keeps the rest', () => {
  assert.equal(moved(base.replace('quick brown fox ', ''), 'brown fox'), null);
  assert.equal(moved(base.replace('quick brown ', ''), 'brown fox'), 'fox');
});

test('a passage between two unique words stays the same under any edits elsewhere', () => {
  const word = fc.stringMatching(/^[a-d]{1,3}$/);
  const words = fc.array(word, { maxLength: 12 }).map((all) => all.map((one) => `${one} `).join(''));
  fc.assert(
    fc.property(words, words, words, words, (before, after, newBefore, newAfter) => {
      const from = `${before}\n<PASSAGE here>\n${after}`;
      const to = `${newBefore}\n<PASSAGE here>\n${newAfter}`;
      const start = from.indexOf('PASSAGE');
      const range = movedRange(from, to, { start, end: start + 'PASSAGE here'.length });
      assert.equal(range === null ? null : to.slice(range.start, range.end), 'PASSAGE here');
    }),
    { numRuns: scaled(200) },
  );
});
