import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedLinesOf } from '../../src/writers/saved-lines.ts';

const saved = ['# Plan', '', 'One', '', 'Two', '', 'Three'];
const linesOf = (shown: readonly string[], ...typed: readonly number[]) =>
  savedLinesOf(saved, shown, (line) => typed.includes(line));

test('lines that were not typed are lines of the saved text, in order', () => {
  assert.deepEqual(linesOf(saved), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(linesOf(saved.toSpliced(2, 2)), [0, 1, 4, 5, 6]);
  assert.deepEqual(linesOf(saved.toSpliced(0, 4)), [4, 5, 6]);
  assert.deepEqual(linesOf(saved.toSpliced(3, 0, 'Mine', ''), 3, 4), [0, 1, 2, -1, -1, 3, 4, 5, 6]);
});

test('changes that are far apart leave what is between them where it was', () => {
  assert.deepEqual(linesOf(saved.with(0, '# A plan').with(6, 'Four'), 0, 6), [-1, 1, 2, 3, 4, 5, -1]);
});

test('a typed line that equals the saved one again counts as that line', () => {
  assert.deepEqual(linesOf(saved, 0, 2, 4), [0, 1, 2, 3, 4, 5, 6]);
  const both = saved.with(0, '# A plan').with(6, 'Four');
  assert.deepEqual(linesOf(both, 0, 2, 4, 6), [-1, 1, 2, 3, 4, 5, -1]);
});

test('a line that the saved text does not have counts as typed', () => {
  assert.deepEqual(linesOf(['# Plan', 'from elsewhere', '', 'One']), [0, -1, 1, 2]);
});
