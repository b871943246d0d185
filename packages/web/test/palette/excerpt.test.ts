import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWordLines, parseFindQuery } from '@stoa/core';
import { excerptOf } from '../../src/palette/excerpt.ts';

/** The excerpt of a line that the server finds, with the matches in braces. */
const shown = (line: string, words: string, isMarkdown = true) =>
  excerptOf(findWordLines(line, parseFindQuery(words))[0] ?? { text: line, ranges: [] }, words, isMarkdown)
    .map(({ text, isMatch }) => (isMatch ? `{${text}}` : text))
    .join('');

const cases: readonly (readonly [line: string, words: string, excerpt: string])[] = [
  ['## The launch ##', 'launch', 'The {launch}'],
  ['  - [x] **Budget** of the _launch_', 'budget', '{Budget} of the launch'],
  ['12. ~~old~~ `code` and *more* launch', 'launch', 'old code and more {launch}'],
  [
    '> - see [the *launch* plan](plan.md "Plan") and ![a boat](boat.png)',
    'launch plan',
    'see the {launch} {plan} and a boat',
  ],
  ['| Budget | 1,250 |', '1,250', 'Budget | {1},{250}'],
  ['a\\*b [^1] <https://example.org/launch>', 'launch', 'a*b  https://example.org/{launch}'],
  [
    'read_file and 2 * 3 * 4, __init__ and snake_case_name',
    'file',
    'read_{file} and 2 * 3 * 4, init and snake_case_name',
  ],
  ['Launch, budget, LAUNCH', 'launch', '{Launch}, budget, {LAUNCH}'],
  ['launch of the budget', 'budget launch', '{launch} of the {budget}'],
  ['The **Cafés** are in an alcove', 'CAFE', 'The {Cafés} are in an alcove'],
  ['budgets and a budget', 'budget of', 'budgets and a {budget}'],
  ['a **launch day**, a day of launch', '"launch day"', 'a {launch day}, a day of launch'],
  ['the `readFile` and a file', 'file', 'the read{File} and a {file}'],
];

for (const [line, words, excerpt] of cases) {
  test(`shows ${JSON.stringify(line)} without marks`, () => assert.equal(shown(line, words), excerpt));
}

test('keeps the marks if the match is in one', () => {
  assert.equal(shown('See [the plan](budget.md).', 'budget.md'), 'See [the plan]({budget}.{md}).');
  assert.equal(shown('# **bold** text', '"**bold"'), '# {**bold}** text');
});

test('keeps the characters of other files', () => {
  assert.equal(shown('  # a *launch* ', 'launch', false), '# a *{launch}*');
});

test('a long line shows its match near the start, cut between words', () => {
  const line = `${'alpha beta '.repeat(30)}the falcon lands ${'gamma delta '.repeat(30)}`;
  const excerpt = shown(line, 'falcon');
  assert.match(excerpt, /^…(?:alpha |beta )+the \{falcon\} lands gamma .*…$/);
  assert.ok(excerpt.indexOf('falcon') < 40, excerpt);
  assert.ok(excerpt.length < 120, excerpt);
  assert.match(shown(`falcon ${line}`, 'falcon'), /^\{falcon\} alpha /);
  assert.match(shown(`${line}kestrel`, 'kestrel'), /^….*\{kestrel\}$/);
});

test('a cut never splits a character', () => {
  const faces = '\u{1f600}'.repeat(200);
  for (let at = 0; at < 4; at += 1) {
    const excerpt = shown(`${faces}${'x'.repeat(at)}falcon${'x'.repeat(at)}${faces}`, 'falcon');
    assert.ok(excerpt.isWellFormed() && excerpt.includes('{falcon}'), excerpt);
  }
});
