import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleName, visibleText } from '../../src/http/pages/shell/visible-name.ts';

test('hidden characters in a name are shown', () => {
  const hidden: readonly (readonly [string, string])[] = [
    ['invoice\u202efdp.exe', 'invoice[U+202E]fdp.exe'],
    ['a\u200bb\ufeff.md', 'a[U+200B]b[U+FEFF].md'],
    ['a\u00a0b', 'a[U+00A0]b'],
    [' a b ', '[U+0020]a b[U+0020]'],
    ['a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['\u3164', '[U+3164]'],
    ['pay\u200dpal', 'pay[U+200D]pal'],
    ['a\ufe0fb', 'a[U+FE0F]b'],
    ['a\u{e0041}', 'a[U+E0041]'],
  ];
  for (const [name, shown] of hidden) assert.equal(visibleText(name), shown);
  assert.equal(visibleName('a\u202e<b>'), '<bdi>a<span class="unseen">U+202E</span>&#60;b&#62;</bdi>');
});

test('names in any language and emoji are shown as they are', () => {
  for (const name of [
    'plan.md',
    'Zoë & Co.txt',
    'می\u200cخواهم.txt',
    'क्\u200dष.md',
    'שלום.md',
    '日本語 メモ.md',
    '👩\u200d🚀 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.png',
  ]) {
    assert.equal(visibleText(name), name.replaceAll('&', '&#38;'));
  }
});
