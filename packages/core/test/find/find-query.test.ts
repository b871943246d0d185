import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FindTerm, findQueryMaxCharacters, findQueryMaxWords, parseFindQuery } from '../../src/index.ts';

/** Shows a term as it could be typed, with `*` after a prefix. */
const shown = ({ words, phrase }: FindTerm) =>
  phrase === null
    ? words.map(({ word, isPrefix }) => `${word}${isPrefix ? '*' : ''}`).join('+')
    : `"${phrase}"`;
const parsed = (text: string) => {
  const { groups, excluded, filters } = parseFindQuery(text);
  return { all: groups.map((terms) => terms.map(shown).join('|')), not: excluded.map(shown), filters };
};

test('words are combined, and the last one is also a prefix', () => {
  assert.deepEqual(parsed('Budget läunch pla').all, ['budget', 'launch', 'pla*']);
  assert.deepEqual(parsed('budg ').all, ['budg*']);
  assert.deepEqual(parsed('budg in:notes/').all, ['budg*']);
  assert.deepEqual(parsed('front-end readFile').all, ['front+end', 'readfile*']);
});

test('a single character of a script without spaces is a prefix everywhere', () => {
  assert.deepEqual(parsed('京 会議').all, ['京*', '会議*']);
});

test('OR binds tighter than AND', () => {
  assert.deepEqual(parsed('plan budget OR cost launch').all, ['plan', 'budget|cost', 'launch*']);
  assert.deepEqual(parsed('a OR b OR "c d"').all, ['a|b|"c d"']);
});

test('OR without a word on both sides is a word', () => {
  assert.deepEqual(parsed('OR plan').all, ['or', 'plan*']);
  assert.deepEqual(parsed('plan OR').all, ['plan', 'or*']);
  assert.deepEqual(parsed('plan OR -cost').all, ['plan', 'or']);
  assert.deepEqual(parsed('plan or cost').all, ['plan', 'or', 'cost*']);
});

test('a dash excludes a whole word or a phrase', () => {
  assert.deepEqual(parsed('plan -draft'), { all: ['plan'], not: ['draft'], filters: [] });
  assert.deepEqual(parsed('-"old plan" new'), { all: ['new*'], not: ['"old plan"'], filters: [] });
  assert.deepEqual(parsed('-draft'), { all: [], not: ['draft'], filters: [] });
});

test('phrases are literal, and a lone quote is a literal word', () => {
  assert.deepEqual(parsed('"Budget, Launch" x').all, ['"budget, launch"', 'x*']);
  assert.deepEqual(parsed('say "hello').all, ['say', 'hello*']);
  assert.deepEqual(parsed('" plan').all, ['plan*']);
  assert.deepEqual(parsed('"=>" plan'), { all: ['"=>"', 'plan*'], not: [], filters: [] });
  assert.deepEqual(parsed('plan " "').all, ['plan']);
});

test('filters are read with their values', () => {
  assert.deepEqual(parsed('in:/notes/2026/ by:Ada type:.MD tag:#Road is:conflict').filters, [
    { kind: 'in', folder: 'notes/2026' },
    { kind: 'by', name: 'ada' },
    { kind: 'type', type: 'md' },
    { kind: 'tag', tag: 'road' },
    { kind: 'is', what: 'conflict' },
  ]);
  assert.deepEqual(parsed('by:"Ada Lovelace" in:"My notes/"').filters, [
    { kind: 'by', name: 'ada lovelace' },
    { kind: 'in', folder: 'My notes' },
  ]);
  assert.deepEqual(parsed('before:2026-11-01 after:2026-02-28').filters, [
    { kind: 'before', at: Date.UTC(2026, 10, 1) },
    { kind: 'after', at: Date.UTC(2026, 1, 28) },
  ]);
});

test('an unknown filter, or one with an unusable value, is a word', () => {
  assert.deepEqual(parsed('colour:red').all, ['colour+red*']);
  assert.deepEqual(parsed('before:2026-02-30 x').all, ['before+2026+02+30', 'x*']);
  assert.deepEqual(parsed('is:shiny').all, ['is+shiny*']);
  assert.deepEqual(parsed('in: plan').all, ['in', 'plan*']);
  assert.deepEqual(parsed('colour:"light red"').all, ['colour+light+red*']);
});

test('a query has at most 200 characters and 16 words', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
  assert.equal(parsed(words(findQueryMaxWords)).all.length, findQueryMaxWords);
  for (const text of [words(findQueryMaxWords + 1), `"${words(findQueryMaxWords + 1)}"`]) {
    assert.throws(() => parseFindQuery(text), /more than 16 words/);
  }
  assert.equal(parsed('𝔞'.repeat(findQueryMaxCharacters)).all.length, 1);
  assert.throws(() => parseFindQuery('x'.repeat(findQueryMaxCharacters + 1)), /longer than 200 characters/);
  for (const text of ['', '  ', '""']) assert.throws(() => parseFindQuery(text), /the query is empty/);
});

test('punctuation alone is taken literally, and separates words otherwise', () => {
  assert.deepEqual(parseFindQuery('=> !!').groups, [
    [{ words: [], phrase: '=>' }],
    [{ words: [], phrase: '!!' }],
  ]);
  assert.equal(parseFindQuery('a => b').groups.length, 2);
});
