import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { oddNames, plainNames } from '../../../../tests/support/odd-characters.ts';
import { escapeJson, partsOfName, shownLines, shownName, shownText } from '../../src/index.ts';

const hostile = '\u001b]0;x\u0007\r\u009b31m\u202e\u2028\ud800\u0378\u{e0080}';

test('a text of others cannot act on a terminal', () => {
  assert.equal(shownText('plan é 😀.md'), 'plan é 😀.md');
  assert.equal(
    shownText(`${hostile}\n`),
    '\\u{1B}]0;x\\u{7}\\u{D}\\u{9B}31m\\u{202E}\\u{2028}\\u{D800}\\u{378}\\u{E0080}\\u{A}',
  );
  assert.equal(shownLines('one\n\u001btwo\n'), 'one\n\\u{1B}two\n');
});

test('each odd character of a name or text is shown, and names in any language stay', () => {
  for (const [name, shown] of oddNames) {
    assert.equal(shownName(name), shown);
    assert.equal(shownText(name), shown);
    assert.equal(
      partsOfName(name)
        .map(({ text }) => text)
        .join(''),
      shown,
    );
  }
  for (const name of plainNames) {
    assert.equal(shownName(name), name);
    assert.equal(shownText(name), name);
    assert.deepEqual(partsOfName(name), [{ text: name, isHidden: false }]);
  }
});

test('spaces at the ends of a name are shown, those of a text stay', () => {
  assert.equal(shownName(' a b\u00a0'), '\\u{20}a b\\u{A0}');
  assert.equal(shownText('  a b '), '  a b ');
  assert.deepEqual(partsOfName('a '), [
    { text: 'a', isHidden: false },
    { text: '\\u{20}', isHidden: true },
  ]);
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

/** Files with other rules: names that are rejected, folded or impossible on a disk. */
const otherRules = ['visible-line.ts', 'names/folded-name.ts', 'text/shown-text.ts'];

test('no other source decides which characters are hidden', async () => {
  const root = new URL('../../../', import.meta.url).pathname;
  const found: string[] = [];
  for await (const file of glob('*/src/**/*.{ts,tsx}', { cwd: root })) {
    const text = await readFile(`${root}${file}`, 'utf8');
    if (/\\p\{(?:C[fns]|Z[lp]|Default_Ignorable)|\\u(?:202[a-e]|206[6-9])/.test(text)) found.push(file);
  }
  const allowed = [...otherRules.map((name) => `core/src/${name}`), 'cli/src/link/prepare-folder.ts'];
  assert.deepEqual(found.sort(), allowed.sort());
});
