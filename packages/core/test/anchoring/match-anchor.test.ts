import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MatchQuestion, matchAnchor } from '@stoa/core';
import { bytesOf } from './score.ts';

const text = 'Café au lait.\n\nThe plan is good. The plan is old.\nThe plan stays.\n';

function findMatch(question: Omit<MatchQuestion, 'content' | 'kind'>, content = text) {
  return matchAnchor({ content: bytesOf(content), kind: 'range', ...question });
}

function placedText(question: Omit<MatchQuestion, 'content' | 'kind'>, content = text): string {
  const placed = findMatch(question, content);
  assert.equal(placed.kind, 'placed');
  assert.ok(placed.kind === 'placed');
  const bytes = bytesOf(content);
  return `${new TextDecoder().decode(bytes.subarray(0, placed.start))}[${placed.quote}]`;
}

test('a unique quote is placed by its bytes, with its context', () => {
  assert.deepEqual(findMatch({ quote: 'is good' }), {
    kind: 'placed',
    start: 25,
    end: 32,
    quote: 'is good',
    contextBefore: 'Café au lait.\n\nThe plan ',
    contextAfter: '. The plan is old.\nThe plan stays.\n',
  });
});

test('a repeated quote is rejected with its possible matches', () => {
  assert.deepEqual(findMatch({ quote: 'The plan' }), {
    kind: 'ambiguous',
    occurrences: 3,
    matches: [
      { line: 3, occurrence: 1, excerpt: 'The plan is good. The plan is old.' },
      { line: 3, occurrence: 2, excerpt: 'The plan is good. The plan is old.' },
      { line: 4, occurrence: 3, excerpt: 'The plan stays.' },
    ],
  });
});

test('the number of the occurrence chooses, from 1', () => {
  assert.equal(
    placedText({ quote: 'The plan', occurrence: 2 }),
    'Café au lait.\n\nThe plan is good. [The plan]',
  );
  assert.deepEqual(findMatch({ quote: 'The plan', occurrence: 4 }), { kind: 'not_found' });
});

test('a context chooses, and one alone is enough', () => {
  assert.equal(placedText({ quote: 'The plan', contextAfter: ' stays' }).endsWith('old.\n[The plan]'), true);
  assert.equal(placedText({ quote: 'The plan', contextBefore: 'good. ' }).endsWith('good. [The plan]'), true);
});

test('contexts that fit several matches list only those, with their numbers', () => {
  const rejected = findMatch({ quote: 'The plan', contextAfter: ' is' });
  assert.ok(rejected.kind === 'ambiguous');
  assert.equal(rejected.occurrences, 3);
  assert.deepEqual(
    rejected.matches.map((match) => match.occurrence),
    [1, 2],
  );
});

test('a context that is never next to the quote leaves no match, even for a unique quote', () => {
  assert.deepEqual(findMatch({ quote: 'is good', contextBefore: 'The map ' }), { kind: 'not_found' });
  assert.deepEqual(findMatch({ quote: 'The plan', occurrence: 1, contextAfter: ' stays' }), {
    kind: 'not_found',
  });
});

test('verified contexts are kept unchanged', () => {
  const placed = findMatch({ quote: 'The plan', contextBefore: 'good. ' });
  assert.ok(placed.kind === 'placed');
  assert.equal(placed.contextBefore, 'good. ');
});

test('a quote copied from a rendered page is found despite different line breaks', () => {
  const placed = findMatch(
    { quote: 'is old. The plan', contextBefore: 'The  plan ' },
    text.replaceAll('\n', '\r\n'),
  );
  assert.ok(placed.kind === 'placed');
  assert.equal(placed.quote, 'is old.\r\nThe plan');
});

test('a quote with an exact match is not searched with different white space', () => {
  assert.equal(placedText({ quote: 'a b' }, 'a\nb and a b'), 'a\nb and [a b]');
});

test('overlapping matches count separately', () => {
  const rejected = findMatch({ quote: 'aa' }, 'aaa');
  assert.ok(rejected.kind === 'ambiguous');
  assert.equal(rejected.occurrences, 2);
});

test('text that is not there, no text, and half a character are not found', () => {
  for (const quote of ['the plan', '', '\ud83d', undefined]) {
    assert.deepEqual(findMatch({ quote }, '🎉 and \ufffd'), { kind: 'not_found' });
  }
});

test('contexts from the file end between characters and have at most 512 bytes', () => {
  const placed = findMatch({ quote: 'x' }, `${'é'.repeat(300)}.x.${'€'.repeat(300)}`);
  assert.ok(placed.kind === 'placed');
  assert.equal(placed.contextBefore, `${'é'.repeat(255)}.`);
  assert.equal(placed.contextAfter, `.${'€'.repeat(170)}`);
});

test('a point is placed between its contexts', () => {
  const point = { content: bytesOf(text), kind: 'point' as const };
  const placed = matchAnchor({ ...point, contextBefore: 'good. ', contextAfter: 'The plan is old' });
  assert.ok(placed.kind === 'placed');
  assert.deepEqual([placed.start, placed.end, placed.quote], [34, 34, '']);
  assert.deepEqual(matchAnchor({ ...point, contextBefore: 'good.', contextAfter: 'The plan' }), {
    kind: 'not_found',
  });
  assert.equal(matchAnchor({ ...point, contextBefore: 'The plan', contextAfter: ' is' }).kind, 'ambiguous');
});

test('a million matches are counted, and ten of them are listed', () => {
  const rejected = findMatch({ quote: 'needle' }, 'needle '.repeat(1_000_000));
  assert.ok(rejected.kind === 'ambiguous');
  assert.equal(rejected.occurrences, 1_000_000);
  assert.equal(rejected.matches.length, 10);
  assert.ok(rejected.matches.every((match) => match.excerpt.length <= 160));
});
