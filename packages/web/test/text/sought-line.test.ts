import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSought, matchesIn } from '../../src/text/sought-line.ts';

const text = 'The launch.\r\n\r\nOur Budget launch is near.\nThe launch of the budget.\nNothing here.\n';
const found = (line: number, words: string, of = text) =>
  findSought(of, { line, words }).map(({ start, end }) => [
    of.slice(0, start).split('\n').length,
    of.slice(start, end),
  ]);

test('finds the words in their line, in either case', () => {
  assert.deepEqual(found(3, 'budget launch'), [
    [3, 'Budget'],
    [3, 'launch'],
  ]);
  assert.deepEqual(found(1, 'LAUNCH'), [[1, 'launch']]);
  assert.deepEqual(found(1, ' the '), [[1, 'The']]);
});

test('finds each match of a line', () => {
  assert.deepEqual(found(4, 'the'), [
    [4, 'The'],
    [4, 'the'],
  ]);
});

test('finds the nearest line with the words when the text has moved', () => {
  assert.deepEqual(found(5, 'budget'), [[4, 'budget']]);
  assert.deepEqual(found(2, 'budget'), [[3, 'Budget']]);
  assert.deepEqual(found(1, 'nothing'), [[5, 'Nothing']]);
  assert.deepEqual(found(9_999_999, 'launch'), [[4, 'launch']]);
});

test('finds each word in the line, in any order', () => {
  assert.deepEqual(found(4, 'budget launch'), [
    [4, 'launch'],
    [4, 'budget'],
  ]);
  assert.deepEqual(found(1, 'near launch'), [[1, 'launch']]);
});

test('prefers the nearest line with all words to a nearer one with some', () => {
  assert.deepEqual(found(5, 'near launch'), [
    [3, 'launch'],
    [3, 'near'],
  ]);
  assert.deepEqual(found(5, 'launch falcon'), [[4, 'launch']]);
});

test('understands phrases, alternatives and excluded words', () => {
  assert.deepEqual(found(4, '"budget launch"'), [[3, 'Budget launch']]);
  assert.deepEqual(found(5, 'falcon OR nothing'), [[5, 'Nothing']]);
  assert.deepEqual(found(3, 'launch -budget'), [[3, 'launch']]);
});

test('takes only the last word as a prefix', () => {
  assert.deepEqual(found(3, 'near budg'), [
    [3, 'Budget'],
    [3, 'near'],
  ]);
  assert.deepEqual(found(3, 'laun near'), [[3, 'near']]);
});

test('finds any other text literally, such as a part of a word or punctuation', () => {
  assert.deepEqual(found(1, 'udget'), [[3, 'udget']]);
  assert.deepEqual(found(1, '**', 'a **b** c'), [
    [1, '**'],
    [1, '**'],
  ]);
});

test('does not find words that are gone', () => {
  assert.deepEqual(found(3, 'falcon'), []);
  assert.deepEqual(found(1, 'a', ''), []);
});

test('without words, finds the text of the line', () => {
  assert.deepEqual(found(3, ''), [[3, 'Our Budget launch is near.']]);
  assert.deepEqual(found(1, ''), [[1, 'The launch.']]);
  assert.deepEqual(found(2, ''), []);
  assert.deepEqual(found(70, ''), []);
});

test('marks whole words, and no word within another one', () => {
  assert.deepEqual(
    matchesIn('a plan, an explanation, planning', 'planning plan').map(({ start, end }) => [start, end]),
    [
      [2, 6],
      [24, 32],
    ],
  );
});

test('ignores diacritics of Latin letters and keeps offsets', () => {
  assert.deepEqual(found(1, 'resume', 'İ Œ Le RÉSUMÉ \u{1f600} résumé'), [
    [1, 'RÉSUMÉ'],
    [1, 'résumé'],
  ]);
});
