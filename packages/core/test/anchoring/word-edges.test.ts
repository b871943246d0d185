import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInsideWord, wholeWords } from '../../src/anchoring/text/word-edges.ts';
import { bytesOf } from './score.ts';

function widened(text: string, part: string): string {
  const bytes = bytesOf(text);
  const start = bytesOf(text.slice(0, text.indexOf(part))).length;
  const range = wholeWords(bytes, { start, end: start + bytesOf(part).length });
  return new TextDecoder().decode(bytes.subarray(range.start, range.end));
}

test('a range is widened to the words it cuts, and loses the white space at its ends', () => {
  assert.equal(widened('the größte colours of all', 'ößte col'), 'größte colours');
  assert.equal(widened('one, two three', ' two '), 'two');
  assert.equal(widened('计划在六月', '划在'), '划在');
});

test('the middle of a word or of a character is inside, its edges are not', () => {
  const bytes = bytesOf('aé b');
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((at) => isInsideWord(bytes, at)),
    [false, true, true, false, false, false],
  );
});
