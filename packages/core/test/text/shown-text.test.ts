import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeJson, shownLines, shownText } from '../../src/index.ts';

const hostile = '\u001b]0;x\u0007\r\u009b31m\u202e\u2028\ud800\u0378\u{e0080}';

test('a text of others cannot act on a terminal', () => {
  assert.equal(shownText('plan é 😀.md'), 'plan é 😀.md');
  assert.equal(
    shownText(`${hostile}\n`),
    '\\u{1b}]0;x\\u{7}\\u{d}\\u{9b}31m\\u{202e}\\u{2028}\\u{d800}\\u{378}\\u{e0080}\\u{a}',
  );
  assert.equal(shownLines('one\n\u001btwo\n'), 'one\n\\u{1b}two\n');
});

test('JSON is escaped without changing what it says', () => {
  const lines = [{ name: hostile }, { name: 'plan é 😀.md' }].map((each) => JSON.stringify(each)).join('\n');
  const escaped = escapeJson(lines);
  assert.equal(shownLines(escaped), escaped);
  assert.deepEqual(
    escaped.split('\n').map((line) => JSON.parse(line)),
    [{ name: hostile }, { name: 'plan é 😀.md' }],
  );
});
