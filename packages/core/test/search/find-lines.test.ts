import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundLine, findLines, foldCase } from '../../src/index.ts';

const all = { skip: 0, take: 1000 };
const find = (text: string, asked: string, more: { matchCase?: boolean; context?: number } = {}) =>
  findLines(text, { text: asked, matchCase: false, context: 0, ...more }, all);
const numbers = (lines: readonly FoundLine[]) => lines.map(({ line }) => line);

test('lines are numbered, count once and exclude their line ends', () => {
  const text = 'One falcon, two falcons\r\nnone\nFALCON\n\nlast Falcon';
  const { total, lines } = find(text, 'falcon');
  assert.equal(total, 3);
  assert.deepEqual(
    lines.map(({ line, text: shown }) => [line, shown]),
    [
      [1, 'One falcon, two falcons'],
      [3, 'FALCON'],
      [5, 'last Falcon'],
    ],
  );
  assert.deepEqual(numbers(find(text, 'Falcon', { matchCase: true }).lines), [5]);
  for (const nowhere of ['', 'falcons\r', 'none\nFALCON', 'two  falcons']) {
    assert.equal(find(text, nowhere).total, 0, JSON.stringify(nowhere));
  }
});

test('the window counts over lines that are found, and the total counts all', () => {
  const text = 'a\n'.repeat(10);
  const { total, lines } = findLines(text, { text: 'A', matchCase: false, context: 0 }, { skip: 3, take: 2 });
  assert.equal(total, 10);
  assert.deepEqual(numbers(lines), [4, 5]);
});

test('lines around are shown as far as there are any', () => {
  const [first, second] = find('x\nb\nc\n\nx', 'x', { context: 2 }).lines;
  assert.deepEqual(first, { line: 1, text: 'x', before: [], after: ['b', 'c'] });
  assert.deepEqual(second, { line: 5, text: 'x', before: ['c', ''], after: [] });
  assert.deepEqual(find('\nx\n', 'x', { context: 5 }).lines[0]?.before, ['']);
});

test('a long line is cut around what was found, between characters', () => {
  const line = `${'😀'.repeat(1000)}falcon${'😀'.repeat(1000)}`;
  const [found] = find(line, 'falcon').lines;
  const cut = found?.text ?? '';
  assert.ok(cut.isWellFormed() && cut.length <= 502);
  assert.match(cut, /^….*falcon.*…$/u);
  assert.match(find(`falcon${'x'.repeat(900)}`, 'falcon').lines[0]?.text ?? '', /^falconx+…$/);
});

test('every letter of any case is found, also where folding one alone would change the length', () => {
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    const word = foldCase(`a${letter}b`);
    assert.equal(word.length, `a${letter}b`.length, point.toString(16));
    assert.equal(word, `a${foldCase(letter)}b`, point.toString(16));
  }
  assert.equal(find('ΟΔΟΣ', 'οδος').total, 1);
  assert.equal(find('İstanbul', 'istanbul').total, 1);
});
