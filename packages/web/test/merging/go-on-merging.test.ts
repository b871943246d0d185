import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTextEdits } from '@stoa/core';
import fc from 'fast-check';
import { type Merged, mergeForPerson } from '../../src/merging/differences.ts';
import { goOnMerging } from '../../src/merging/go-on-merging.ts';

const lines = (...words: readonly string[]) =>
  words.map((word) => `the line of ${word} is here\n`).join('\n');

/** Returns the text when all open differences are decided this way. */
function taking(side: 'mine' | 'theirs', { text, differences }: Merged): string {
  const edits = differences.map((difference) => ({
    start: difference.from,
    end: difference.to,
    text: difference[side],
  }));
  return applyTextEdits(text, edits);
}

const wordOf = (line: string) => /of (.*) is/.exec(line)?.[1];
const words = ({ differences }: Merged) =>
  differences.map(({ mine, theirs }) => [wordOf(mine), wordOf(theirs)]);

test('a newer version elsewhere keeps open differences open', () => {
  const base = lines('one', 'two', 'three');
  const mine = lines('one', 'mine', 'three');
  const theirs = lines('one', 'theirs', 'three');
  const left = mergeForPerson(base, mine, theirs);
  assert.deepEqual(words(left), [['mine', 'theirs']]);
  const newer = lines('first', 'theirs', 'third and last');
  const merged = goOnMerging(left, 'theirs', theirs, newer);
  assert.deepEqual(words(merged), [['mine', 'theirs']]);
  assert.equal(merged.text, lines('first', 'mine', 'third and last'));
  assert.equal(taking('theirs', merged), newer);
});

test('a newer version of an open difference becomes the choice', () => {
  const base = lines('one', 'two', 'three');
  const mine = lines('one', 'mine', 'three');
  const theirs = lines('one', 'theirs', 'three');
  const newer = lines('one', 'newest', 'three');
  const merged = goOnMerging(mergeForPerson(base, mine, theirs), 'theirs', theirs, newer);
  assert.deepEqual(words(merged), [['mine', 'newest']]);
  assert.equal(merged.text, mine);
  assert.equal(taking('theirs', merged), newer);
});

test('a decision stays, unless the newer version changed its text', () => {
  const theirs = lines('one', 'theirs', 'three');
  const decided: Merged = { text: lines('one', 'mine', 'three'), differences: [] };
  const elsewhere = goOnMerging(decided, 'theirs', theirs, lines('first', 'theirs', 'three'));
  assert.deepEqual(elsewhere, { text: lines('first', 'mine', 'three'), differences: [] });
  const there = goOnMerging(decided, 'theirs', theirs, lines('one', 'newest', 'three'));
  assert.equal(there.text, decided.text);
  assert.deepEqual(words(there), [['mine', 'newest']]);
});

test('newer typed text is merged next to open differences and into them', () => {
  const base = lines('one', 'two', 'three');
  const mine = lines('one', 'mine', 'three');
  const left = mergeForPerson(base, mine, lines('one', 'theirs', 'three'));
  const typed = lines('first', 'mine and more', 'three');
  const merged = goOnMerging(left, 'mine', mine, typed);
  assert.equal(merged.text, typed);
  assert.equal(taking('theirs', merged), lines('first', 'theirs', 'three'));
});

test('with nothing decided, either side can still be had whole', () => {
  const chunk = fc.constantFrom('alpha ', 'beta ', 'gamma ', 'delta\n', 'eps\n', '\n');
  const text = fc.array(chunk, { maxLength: 12 }).map((chunks) => chunks.join(''));
  fc.assert(
    fc.property(text, text, text, (mine, theirs, newer) => {
      const left = mergeForPerson(null, mine, theirs);
      assert.equal(taking('theirs', left), theirs);
      const merged = goOnMerging(left, 'theirs', theirs, newer);
      assert.equal(taking('theirs', merged), newer);
      assert.equal(taking('mine', merged), merged.text);
      for (const { from, to } of merged.differences) assert.ok(from <= to && to <= merged.text.length);
    }),
    { numRuns: 2000 },
  );
});

test('an equal version reopens no decision', () => {
  const chunk = fc.constantFrom('alpha ', 'beta ', 'gamma ', 'delta\n', '\n');
  const text = fc.array(chunk, { maxLength: 12 }).map((chunks) => chunks.join(''));
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      const left = mergeForPerson(base, mine, theirs);
      assert.deepEqual(goOnMerging(left, 'theirs', theirs, theirs), left);
    }),
    { numRuns: 2000 },
  );
});
