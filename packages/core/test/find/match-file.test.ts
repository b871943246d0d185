import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { factsOf, findWordLines, matchesTerms, parseFindQuery, visitWords } from '../../src/index.ts';

const matches = (query: string, text: string, path = 'notes/plan.md') =>
  matchesTerms(parseFindQuery(query), factsOf(path, text));

test('words match in any order, in the path and in the text', () => {
  assert.ok(matches('budget launch', 'The launch\nhas a new Budget.'));
  assert.ok(matches('plan budg', 'The budget'));
  assert.ok(!matches('bud launch', 'The launch of the budget'), 'only the last word is a prefix');
  assert.ok(!matches('budget launch', 'The budget'));
});

test('OR, excluded words and phrases match as they are parsed', () => {
  assert.ok(matches('cost OR budget launch', 'launch budget'));
  assert.ok(!matches('budget -launch', 'launch budget'));
  assert.ok(matches('budget -laun', 'launch budget'), 'an excluded word is whole');
  assert.ok(matches('"launch budget"', 'our Launch budget'));
  assert.ok(!matches('"launch budget"', 'launch\nbudget'), 'a phrase is in one line');
});

test('parts of words in scripts without spaces are found', () => {
  assert.ok(matches('京都', '東京都の会議'));
  assert.ok(matches('議', '東京都の会議'));
  assert.ok(!matches('京会', '東京都の会議'));
});

test('lines show the most words of the query, with the ranges of their matches', () => {
  const text = 'launch\nnothing\nbudget of the launch\r\nlaunches\nThe Budget';
  assert.deepEqual(findWordLines(text, parseFindQuery('budget launch')), [
    { line: 1, text: 'launch', ranges: [[0, 6]] },
    {
      line: 3,
      text: 'budget of the launch',
      ranges: [
        [0, 6],
        [14, 20],
      ],
    },
    { line: 4, text: 'launches', ranges: [[0, 8]] },
  ]);
  assert.deepEqual(findWordLines('東京都', parseFindQuery('京都'))[0]?.ranges, [[1, 3]]);
  assert.deepEqual(findWordLines('a b c d', parseFindQuery('"b c"'))[0]?.ranges, [[2, 5]]);
  assert.deepEqual(findWordLines('plan', parseFindQuery('type:md')), []);
});

test('a long line is cut around its first match', () => {
  const [found] = findWordLines(`${'é '.repeat(500)}budget${' 😀'.repeat(500)}`, parseFindQuery('budget'));
  assert.ok(found !== undefined && found.text.length <= 300 && found.text.isWellFormed());
  const [[start, end] = [0, 0]] = found.ranges;
  assert.equal(found.text.slice(start, end), 'budget');
});

test('property: each word of a text finds it, and its line is shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
      visitWords(text, (word, _start, _end, kind) => {
        // A script may have no lower case or several characters for one: the word itself is what was folded.
        if (kind === 'part' || [...word].length > 60 || word === 'or') return;
        const query = parseFindQuery(word);
        if (query.groups.flat().some(({ words }) => words.length !== 1)) return;
        assert.ok(matchesTerms(query, factsOf('', text)), JSON.stringify(word));
        assert.ok(findWordLines(text, query).length > 0);
      });
    }),
  );
});

test('property: ranges are in order, do not overlap and stay in the line', () => {
  const line = fc.array(fc.constantFrom('budget', 'launch', '東京', 'plan_b', '😀', ' ', '\n'), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(line, (parts) => {
      for (const { text, ranges } of findWordLines(
        parts.join(''),
        parseFindQuery('budget OR "an_b" OR 東 pla'),
      )) {
        assert.ok(text.length <= 300 && !text.includes('\n'));
        let before = 0;
        for (const [start, end] of ranges) {
          assert.ok(start >= before && end > start && end <= text.length);
          before = end;
        }
      }
    }),
  );
});
