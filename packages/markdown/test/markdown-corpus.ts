/** Markdown whose texts differ between source and display, or whose parts depend on each other. */
export const markdownCorpus: Readonly<Record<string, string>> = {
  plain: 'one two\nthree\n\nfour **bold** word and *slanted* `code` end\n',
  headings: '# A\n\nx\n\nB\n=\n\n## C ##\n\n###### deep\n\ny\n',
  escapes: 'a \\*b\\* c \\\\ d &amp; e &#x41; f &copy;&nbsp;g \\[x]\n',
  quotes: '> one\n> two **b\n> c** d\n>> deep\n> lazy\nlazier \\> x\n\n> a\n    > b\n',
  lists: '- a\n  b\n\n  c\n- [ ] open *task*\n- [x] done\n  1. n\n     m\n  2. o\n\n7) seven\n',
  code: '```ts title\nconst a = 1;\n\n  b\n```\n\n    indented\n      more\n\n- x\n  ```\n  in list\n   deeper\n  ```\n\n``` \n\n```\n\na `` b ` c `` d `e\nf`\n',
  unclosed: 'x\n\n```\nnever closed\n\nagain\n',
  table: '| a | b |\n| :-- | --: |\n| 1 \\| x | **2** |\n| `c|d` | |\n\nafter\n',
  html: 'a <b onclick="x">c</b> d\n\n<div>\n*not*\n\n<script>alert(1)</script>\n\n> <i>\n> x\n',
  links:
    '[a *b*](x.md "t") <https://e.example/x> www.e.example ![alt **x**](p.png) me@e.example <me@e.example>\n',
  references:
    '[one][x] and [X] and [two][] ![p][x]\n\nmore [y]\n\n[x]: to/x.md "title"\n[two]: two.md\n\n> [y]: y.md\n',
  footnotes:
    'a[^1] b[^n] c[^1]\n\nd[^late]\n\n[^n]: note *n*\n\n    second\n\n[^1]: first[^late]\n\n[^late]: late [r]\n\n[r]: r.md\n',
  crlf: '# A\r\n\r\none\r\ntwo **b**\r\n\r\n> q\r\n> r\r\n\r\n- x\r\n- y\r\n\r\n```\r\na\r\n\r\nb\r\n```\r\n',
  cr: '# A\r\rone\rtwo\r\r- x\r- y\r',
  mark: '\ufeff# A\n\none **two**\n',
  frontMatter: '---\ntitle: "A: b"\ntags: [x, y]\n---\n# A\n\nb\n',
  astral: '\u{1f600} a **\u{1f469}\u200d\u{1f4bb} b** e\u0301 \u05d0\u05d1 \u202e x\n\n\u{10ffff}\n',
  breaks: 'a  \nb\\\nc   \n  d\n\n***\n\n- - -\n\ne\n',
  tabs: '-\ta\n\n\tb\n\n>\tc\n\n\td\n\te\n',
  setext: 'a\nb **c**\n---\n\nd\n',
  nested: '- > a\n  > - b\n  >   c **d\n  > e** f\n\n  g\n',
  strike: '~~gone *x*~~ a ~b~ c***d** e*\n',
  empty: '',
  blank: '\n\n \n',
  definitionsOnly: '[a]: b\n[c]: d\n',
};
