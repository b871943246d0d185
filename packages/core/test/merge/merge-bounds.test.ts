import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../tests/support/random.ts';
import { applyTextEdits, mergeTexts } from '../../src/index.ts';
import { type Change, diffSequences } from '../../src/merge/diff-sequences.ts';
import { mergeStepsMax, wordRegionMax } from '../../src/merge/merge-limits.ts';

/** Returns the changes and their steps, and asserts that they lead from one side to the other. */
function comparison(base: Int32Array, side: Int32Array, idCount: number, most = mergeStepsMax) {
  const budget = { left: most };
  const changes = diffSequences(base, side, idCount, budget);
  let [baseAt, sideAt] = [0, 0];
  for (const change of [
    ...changes,
    { baseStart: base.length, sideStart: side.length, baseEnd: 0, sideEnd: 0 },
  ]) {
    assert.equal(change.baseStart - baseAt, change.sideStart - sideAt);
    for (; baseAt < change.baseStart; baseAt += 1, sideAt += 1) assert.equal(base[baseAt], side[sideAt]);
    [baseAt, sideAt] = [change.baseEnd, change.sideEnd];
  }
  return { changes, steps: most - budget.left };
}

const changedElements = (changes: readonly Change[]): number =>
  changes.reduce(
    (sum, { baseStart, baseEnd, sideStart, sideEnd }) => sum + baseEnd - baseStart + sideEnd - sideStart,
    0,
  );

const random = seededRandom(11);
const coins = (size: number): Int32Array => Int32Array.from({ length: size }, () => random.below(2));

test('two long sequences of two elements are compared within the budget', () => {
  const { steps, changes } = comparison(coins(200_000), coins(200_000), 2);
  assert.ok(steps < mergeStepsMax * 1.1, `${steps} steps`);
  assert.ok(changes.length > 0);
});

test('a reversed long sequence is compared within the budget', () => {
  const base = Int32Array.from({ length: 200_000 }, (_, i) => i);
  const { steps } = comparison(base, base.toReversed(), base.length);
  assert.ok(steps < mergeStepsMax * 1.1, `${steps} steps`);
});

test('a long repetition with many changes is settled within the budget', () => {
  const base = Int32Array.from({ length: 300_000 }, (_, i) => i % 3);
  const side = Int32Array.from(base.filter((_, i) => i % 1000 !== 7));
  const { steps } = comparison(base, side, 3);
  assert.ok(steps < mergeStepsMax * 1.1, `${steps} steps`);
});

test('with any budget the changes lead from one side to the other, and a larger one finds fewer', () => {
  const [base, side] = [coins(400), coins(380)];
  const sizes = [0, 10, 100, 1000, mergeStepsMax].map((most) =>
    changedElements(comparison(base, side, 2, most).changes),
  );
  assert.ok((sizes[0] ?? 0) > (sizes.at(-1) ?? 0), sizes.join(', '));
});

test('lines too long for a comparison by words are an overlap', () => {
  const long = 'word '.repeat(wordRegionMax / 5 + 1);
  const [base, mine, theirs] = [`a ${long}b\n`, `A ${long}b\n`, `a ${long}B\n`];
  assert.equal(mergeTexts(base, mine, theirs, { within: 'words' }).overlaps.length, 1);
  const alone = mergeTexts(base, base, theirs, { within: 'words' });
  assert.equal(applyTextEdits(base, alone.edits), theirs);
});

test('hostile texts end in an overlap, whichever side they are', () => {
  const lines = (of: (i: number) => string): string =>
    Array.from({ length: 30_000 }, (_, i) => of(i)).join('');
  const [base, theirs] = [lines((i) => `${i}\n`), lines((i) => `${(i * 7) % 30_000}\n`)];
  for (const mine of [lines((i) => `${30_000 - i}\n`), '\ud83d'.repeat(30_000), 'a-'.repeat(30_000)]) {
    const { overlaps } = mergeTexts(base, mine, theirs, { within: 'words' });
    const exchanged = mergeTexts(base, theirs, mine, { within: 'words' }).overlaps;
    assert.ok(overlaps.length > 0);
    assert.deepEqual(
      exchanged.map((each) => ({ base: each.base, mine: each.theirs, theirs: each.mine })),
      overlaps,
    );
  }
});
