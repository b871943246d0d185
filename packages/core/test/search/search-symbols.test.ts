import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  codePointBits,
  markBits,
  markShift,
  pushSymbols,
  stemEndBit,
} from '../../src/search/search-symbols.ts';

/** The folded text, and below it the rank of each symbol: segment, word, hump or none. */
function shown(path: string): readonly [string, string] {
  const symbols: number[] = [];
  pushSymbols(path, symbols);
  const text = symbols.map((symbol) => String.fromCodePoint(symbol & codePointBits)).join('');
  const marks = symbols.map((symbol) => {
    const worth = '.hws'[(symbol >>> markShift) & markBits] ?? '?';
    return (symbol & stemEndBit) === 0 ? worth : worth === '.' ? '|' : worth.toUpperCase();
  });
  return [text, marks.join('')];
}

const table: readonly (readonly [path: string, folded: string, marks: string])[] = [
  ['docs/read_me.md', 'docs/read_me.md', 's....s....w|.w.'],
  ['NavBar.ts', 'navbar.ts', 's..h.|.w.'],
  ['myHTTPServer', 'myhttpserver', 's.h...h.....'],
  ['v2b', 'v2b', 'shh'],
  ['.gitignore', '.gitignore', 'sw........'],
  ['.env.local', '.env.local', 'sw.|.w....'],
  ['a.b/c', 'a.b/c', 's.w.s'],
  ['Straße.md', 'strasse.md', 's.....|.w.'],
  ['😀b.md', '😀b.md', 'sW.w.'],
  ['b😀.md', 'b😀.md', 's|.w.'],
  ['Éa ÉaÉ', 'éa éaé', 's..w.h'],
  ['李雷', '李雷', 's.'],
];
for (const [path, folded, marks] of table) {
  test(`${path} begins words where a reader sees them begin`, () =>
    assert.deepEqual(shown(path), [folded, marks]));
}
