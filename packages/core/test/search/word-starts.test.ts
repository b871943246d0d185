import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath, searchedPath } from '../../src/index.ts';
import { startWorth, startWorthAt } from '../../src/search/word-starts.ts';

const marks = new Map<number, string>([
  [startWorth.segment, 's'],
  [startWorth.word, 'w'],
  [startWorth.hump, 'h'],
  [startWorth.inside, '.'],
]);

/** The folded text, and below it the rank of each character: segment, word, hump or none. */
function ranked(path: string): readonly [string, string] {
  const { folded, shown } = searchedPath(parseWorkspacePath(path));
  let ranks = '';
  for (let at = 0; at < folded.length; at += (folded.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    ranks += marks.get(startWorthAt(shown, at)) ?? '?';
  return [folded, ranks];
}

const table: readonly (readonly [path: string, folded: string, marks: string])[] = [
  ['docs/read_me.md', 'docs/read_me.md', 's....s....w..w.'],
  ['NavBar.ts', 'navbar.ts', 's..h...w.'],
  ['myHTTPServer', 'myhttpserver', 's.h...h.....'],
  ['v2b', 'v2b', 'shh'],
  ['.gitignore', '.gitignore', 'sw........'],
  ['.env.local', '.env.local', 'sw...w....'],
  ['a.b/c', 'a.b/c', 's.w.s'],
  ['Straße.md', 'strasse.md', 's.......w.'],
  ['😀b.md', '😀b.md', 'sw.w.'],
  ['b😀.md', 'b😀.md', 's..w.'],
  ['Éa ÉaÉ', 'éa éaé', 's..w.h'],
  ['李雷', '李雷', 's.'],
];
for (const [path, folded, marks] of table) {
  test(`${path} begins words where a reader sees them begin`, () =>
    assert.deepEqual(ranked(path), [folded, marks]));
}
