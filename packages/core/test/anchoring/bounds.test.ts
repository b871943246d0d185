import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffStepsMax } from '../../src/anchoring/anchoring-limits.ts';
import { matchSequences } from '../../src/anchoring/diff/match-sequences.ts';
import { createSequenceMatch, unknownMatch } from '../../src/anchoring/diff/sequence-match.ts';
import { bestFit } from '../../src/anchoring/matches/best-fit.ts';
import { foldText } from '../../src/anchoring/text/folded-text.ts';
import { similarity } from '../../src/anchoring/text/similarity.ts';
import { bytesOf } from './score.ts';

/** A round of the comparison that has begun is finished. */
const roundStepsMax = diffStepsMax / 100;

function stepsToMatch(left: Int32Array, right: Int32Array) {
  const match = createSequenceMatch(left, right);
  const budget = { left: diffStepsMax };
  const whole = { leftStart: 0, leftEnd: left.length, rightStart: 0, rightEnd: right.length };
  matchSequences(match, whole, budget);
  return { match, steps: diffStepsMax - budget.left };
}

test('the diff of two long texts that share only two words gives up and reports unknown', () => {
  const size = 200_000;
  const left = Int32Array.from({ length: size }, (_, i) => (i * i + (i >> 3)) % 2);
  const right = Int32Array.from({ length: size }, (_, i) => (i * 7 + (i >> 4) * 3) % 2);
  const { match, steps } = stepsToMatch(left, right);
  assert.ok(steps < diffStepsMax + roundStepsMax, `${steps} steps`);
  assert.ok(match.toRight.includes(unknownMatch));
});

test('the steps of a diff grow with the number of edits, not with its square', () => {
  const steps = [1000, 2000, 4000].map((edits) => {
    const left = Int32Array.from({ length: edits * 50 }, (_, i) => i);
    const right = Int32Array.from(left, (id, i) => (i % 50 === 25 ? (edits * 50 + i / 50) | 0 : id));
    return stepsToMatch(left, right).steps;
  });
  const [once = 0, , fourTimes = 0] = steps;
  assert.ok(fourTimes <= 5 * once + 1000, steps.join(', '));
});

test('a reversed text is matched within the budget', () => {
  const left = Int32Array.from({ length: 100_000 }, (_, i) => i);
  const { steps } = stepsToMatch(left, left.toReversed());
  assert.ok(steps < diffStepsMax + roundStepsMax, `${steps} steps`);
});

test('a similarity below the threshold is not measured', () => {
  const a = bytesOf('abcdefgh');
  const b = bytesOf('zyxwvuts');
  const whole = { start: 0, end: 8 };
  assert.equal(similarity(a, whole, b, whole, 0.75), 0);
  assert.equal(similarity(a, whole, a, whole, 0.75), 1);
});

test('similarity is twice the common characters by all characters', () => {
  const measure = (a: string, b: string): number => {
    const [x, y] = [bytesOf(a), bytesOf(b)];
    return similarity(x, { start: 0, end: x.length }, y, { start: 0, end: y.length }, 0);
  };
  assert.equal(measure('increase', 'decrease'), 0.75);
  assert.equal(measure('two words', 'two \r\n words'), 1);
  assert.equal(measure('né', 'no'), 0.5);
  assert.equal(measure('', ''), 1);
  assert.equal(measure('abc', ''), 0);
});

test('an area too large for its quote is not searched for a fit', () => {
  const text = bytesOf('x'.repeat(16_000));
  const quote = foldText(text, { start: 0, end: 4000 });
  assert.equal(bestFit(quote, text, { start: 0, end: text.length }), null);
});

test('the best fit is the part that differs least', () => {
  const text = bytesOf('a colour, the colour of the sea, and colours');
  const quote = foldText(bytesOf('the color of the sea'), { start: 0, end: 20 });
  const fit = bestFit(quote, text, { start: 0, end: text.length });
  assert.ok(fit !== null);
  assert.equal(
    new TextDecoder().decode(text.subarray(fit.range.start, fit.range.end)),
    'the colour of the sea',
  );
});
