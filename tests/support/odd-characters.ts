/** Names with a hidden or odd character, and the form in which every surface shows them. */
export const oddNames: readonly (readonly [name: string, shown: string])[] = [
  ['invoice\u202efdp.exe', 'invoice\\u{202E}fdp.exe'],
  ['a\u2066b\u2069.md', 'a\\u{2066}b\\u{2069}.md'],
  ['a\u200eb\u061c.md', 'a\\u{200E}b\\u{61C}.md'],
  ['a\u200bb\ufeff.md', 'a\\u{200B}b\\u{FEFF}.md'],
  ['soft\u00adhyphen.md', 'soft\\u{AD}hyphen.md'],
  ['pay\u200dpal.md', 'pay\\u{200D}pal.md'],
  ['a\ufe0fb.md', 'a\\u{FE0F}b.md'],
  ['a\u2028b\u2029c.md', 'a\\u{2028}b\\u{2029}c.md'],
  ['\u3164.md', '\\u{3164}.md'],
  ['a\u2800b.md', 'a\\u{2800}b.md'],
  ['a\u2003b.md', 'a\\u{2003}b.md'],
  ['a\u{e0041}.md', 'a\\u{E0041}.md'],
  ['a\u0378.md', 'a\\u{378}.md'],
];

/** Names in any language, with emoji, and with the spaces that programs write, are shown as they are. */
export const plainNames: readonly string[] = [
  'plan.md',
  'Zoë & Co.txt',
  'Picture 9.41.00\u202fAM.png',
  '12\u00a0000.md',
  '日本語\u3000メモ.md',
  'می\u200cخواهم.txt',
  'क्\u200dष.md',
  'שלום.md',
  '👩\u200d🚀 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.png',
];
