import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRanking,
  listHas,
  parseFindQuery,
  parseWorkspacePath,
  type RankedFile,
  visitWords,
  wordListOf,
  wordsOf,
} from '../../src/index.ts';

function file(
  path: string,
  text = '',
  { title = '', headings = '' }: { readonly title?: string; readonly headings?: string } = {},
): RankedFile {
  const fields = { path, name: path.slice(path.lastIndexOf('/') + 1), title, headings };
  const words: string[] = [];
  visitWords(text, (word) => words.push(word));
  return {
    path: parseWorkspacePath(path),
    length: text.length,
    has: (field, word) => listHas(wordListOf(wordsOf(fields[field])), word),
    count: ({ word, isPrefix }) =>
      words.filter((each) => (isPrefix ? each.startsWith(word) : each === word)).length,
  };
}

/** Returns the paths from the best to the worst. */
function ranked(query: string, files: readonly RankedFile[]): readonly string[] {
  const score = createRanking(parseFindQuery(query), {
    averageLength: files.reduce((sum, { length }) => sum + length, 0) / files.length,
    shareOf: (word) => files.filter((each) => each.count(word) > 0).length / files.length,
  });
  return files.toSorted((a, b) => score(b) - score(a)).map(({ path }) => path);
}

test('a name comes before its start, title, headings, path and text', () => {
  const files = [
    file('a/text.md', 'the launch plan '.repeat(50)),
    file('launch/plan/notes.md', ''),
    file('b/headings.md', '', { headings: 'Plan\nLaunch' }),
    file('b/title.md', '', { title: 'Plan of the launch' }),
    file('b/launch-plan-2026.md'),
    file('z/Launch plan.md'),
  ];
  assert.deepEqual(ranked('launch plan', files), files.map(({ path }) => path).toReversed());
});

test('more and rarer words in shorter texts come first', () => {
  const filler = 'common words of no interest '.repeat(20);
  assert.deepEqual(
    ranked('budget', [file('1', `${filler} budget`), file('2', `${filler} budget budget budget`)]),
    ['2', '1'],
  );
  assert.deepEqual(ranked('budget', [file('1', `${filler.repeat(9)} budget`), file('2', 'a short budget')]), [
    '2',
    '1',
  ]);
  const files = [
    file('1', 'common common rare'),
    file('2', 'common rare rare'),
    file('3', 'common'),
    file('4', 'common'),
  ];
  assert.deepEqual(ranked('common rare', files).slice(0, 2), ['2', '1']);
});

test('the last word counts as a prefix, but not for an exact name', () => {
  assert.deepEqual(ranked('bud', [file('budget.md'), file('bud.md')]), ['bud.md', 'budget.md']);
});

test('a query of filters alone scores all files equally', () => {
  const score = createRanking(parseFindQuery('type:md'), { averageLength: 0, shareOf: () => 0 });
  assert.equal(score(file('a.md')), score(file('b.md', 'text')));
});

test('conflicted copies and placeholders come last', () => {
  const copy = 'plan (conflicted copy 2026-11-20 143012 Ada).md';
  const files = [file(copy, 'plan plan'), file('plan/.keep'), file('a.md', 'plan')];
  assert.equal(ranked('plan', files)[0], 'a.md');
});
