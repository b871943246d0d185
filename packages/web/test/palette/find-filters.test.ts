import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  filtersIn,
  filtersToAdd,
  parsedQuery,
  withFilter,
  withoutFilter,
  wordsOnly,
} from '../../src/palette/find-filters.ts';

const texts = (query: string) => filtersIn(query).map(({ text }) => text);

test('recognises the filters of the parser where they are typed', () => {
  assert.deepEqual(texts('budget type:md in:"my notes/" by:ada'), ['type:md', 'in:"my notes/"', 'by:ada']);
  assert.deepEqual(texts('TYPE:md after:2026-02-30 after:2026-02-28 is:odd note:x -type:md "type:md"'), [
    'TYPE:md',
    'after:2026-02-28',
  ]);
  assert.deepEqual(texts(''), []);
});

test('finds as many filters as the parser', () => {
  for (const query of [
    'a "b type:md" c',
    'type:md',
    '"type:md',
    'x:"y" by:"Ada L" tag:#a',
    'a OR type:md b',
  ]) {
    assert.equal(texts(query).length, parsedQuery(query)?.filters.length, query);
  }
});

test('removes one filter and keeps the rest', () => {
  const query = ' budget  type:md "two  words" in:notes/';
  const [type, folder] = filtersIn(query);
  assert.ok(type !== undefined && folder !== undefined);
  assert.equal(withoutFilter(query, type), 'budget "two  words" in:notes/');
  assert.equal(withoutFilter(query, folder), 'budget  type:md "two  words"');
  assert.equal(wordsOnly(query), 'budget "two  words"');
  assert.equal(wordsOnly('type:md'), '');
});

test('suggests filters of other kinds, with the folder first', () => {
  assert.deepEqual(filtersToAdd('budget', ''), [
    'type:md',
    'type:image',
    'by:people',
    'by:agents',
    'is:conflict',
  ]);
  assert.deepEqual(filtersToAdd('type:pdf by:ada', 'my notes'), ['in:"my notes/"', 'is:conflict']);
  assert.deepEqual(filtersToAdd('in:a/ type:pdf by:ada is:conflict', 'b'), []);
  // A folder that a filter cannot name, and a query without space for more.
  assert.deepEqual(filtersToAdd('type:pdf by:ada is:conflict', 'a "b" c'), []);
  assert.deepEqual(filtersToAdd('x'.repeat(195), 'a'), []);
});

test('adds a filter so that typing can continue', () => {
  assert.equal(withFilter('budget ', 'type:md'), 'budget type:md ');
  assert.equal(withFilter('', 'type:md'), 'type:md ');
});

test('rejects a query that the server would reject', () => {
  assert.equal(parsedQuery(' '), null);
  assert.equal(parsedQuery('a '.repeat(17)), null);
  assert.notEqual(parsedQuery('a'), null);
});
