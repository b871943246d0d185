import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileFiles } from '../../../../tests/browser/hostile-files.ts';
import { assertSafe } from '../../../markdown/test/assert-safe.ts';
import { renderMarkdown } from '../../src/http/pages/share/markdown/render-markdown.ts';

const neighbours = { below: 'notes/a.md', pageBase: '../view/?v=t', contentBase: '../content?v=t' };
const alone = (text: string) => renderMarkdown({ text, neighbours: null }) ?? assert.fail();
const among = (text: string) => renderMarkdown({ text, neighbours }) ?? assert.fail();

test('structure and links to the web are kept', () => {
  assert.equal(
    alone('# T\n\n[x](https://example.org/?a=1&b=2)'),
    '<h1>T</h1>\n<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow">x</a></p>\n',
  );
  assert.match(alone('|a|\n|-|\n|b|'), /<table>[\s\S]*<td>b<\/td>/);
});

test('front matter is not shown', () => {
  assert.equal(alone('---\ntitle: x\n---\ntext'), '<p>text</p>\n');
  assert.match(alone('---\nno end'), /no end/);
});

const notFrontMatter: readonly (readonly [block: string, shown: RegExp])[] = [
  ['Tuesday: we met.\n\n## Terms\n\nAll sales are final.\n', /All sales are final/],
  ['# Heading\n- item\n', /<h1>Heading<\/h1>/],
  ['# Heading\n', /<h1>Heading<\/h1>/],
  ['Only a sentence.\n', /Only a sentence/],
  ['title: a\ntitle: b\n', /title: b/],
  ['a: &x 1\nb: *x\n', /b: /],
  ['title: [a\n', /title: \[a/],
];
for (const [block, shown] of notFrontMatter) {
  test(`text between two rules is shown: ${JSON.stringify(block)}`, () => {
    const html = alone(`---\n${block}---\n\nThank you.\n`);
    assert.match(html, shown);
    assert.match(html, /<p>Thank you.<\/p>/);
    assert.match(alone(`\ufeff---\r\n${block.replaceAll('\n', '\r\n')}---\r\nThank you.`), shown);
  });
}

test('front matter is skipped, empty or not', () => {
  for (const block of ['draft: true\n', '', '\n', 'tags:\n  - a\n  - b\n', '{a: 1}\n', '# why\na: 1\n']) {
    assert.equal(alone(`---\n${block}---\ntext`), '<p>text</p>\n', block);
  }
});

test('relative links lead to neighbours within the shared folder, and nowhere else', () => {
  assert.match(among('[x](b.md#part)'), /href="\.\.\/view\/notes\/b\.md\?v=t"/);
  assert.match(among('[x](../c%20d.md)'), /href="\.\.\/view\/c%20d\.md\?v=t"/);
  assert.match(among('![x](p.png)'), /<img src="\.\.\/content\/notes\/p\.png\?v=t" alt="x" \/>/);
  for (const link of ['../../out.md', '/etc/x', '//evil.example/x', '..%2f..%2fx', '%5c%5cevil', '#only']) {
    assert.ok(!among(`[x](${link})`).includes('href'), link);
  }
  assert.ok(!alone('[x](b.md)').includes('href'));
});

test('pictures from the web are not loaded: their text is shown', () => {
  assert.equal(alone('![a cat](https://spy.example/p.png)'), '<p><span>a cat</span></p>\n');
});

const hostile = [
  '<script>x</script>',
  '<img src=x onerror=x>',
  '[a](javascript:x)',
  '[a](data:text/html,x)',
  '[a](&#106;avascript:x)',
  '![a](data:image/svg+xml,x)',
  '[a](https://x/ "t\\" onmouseover=\\"x")',
  '```html" onload="x\n</pre><script>\n```',
];
for (const text of hostile) {
  test(`no active content comes from ${JSON.stringify(text)}`, () => {
    for (const html of [alone(text), among(text)]) {
      assert.ok(!/<(?!\/?(?:p|a|span|pre|code|img)\b)/.test(html), html);
      for (const [, attribute = ''] of html.matchAll(/<\w+[^>]*? ([\w-]+)=/g)) {
        assert.ok(['href', 'rel', 'src', 'alt', 'title'].includes(attribute), html);
      }
      assert.ok(!/(?:href|src)="(?:javascript|data):/i.test(html), html);
    }
  });
}

for (const { name, bytes } of hostileFiles()) {
  test(`no active content comes from hostile ${name}`, () => {
    const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
    for (const html of [alone(text), among(text)]) assertSafe(html, ['aria-label', 'id', 'rel']);
  });
}

test('a raster picture within the text is shown, any other says why it is not', () => {
  assert.equal(
    alone('![a](data:image/png;base64,AAAA "t")'),
    '<p><img src="data:image/png;base64,AAAA" alt="a" title="t" /></p>\n',
  );
  const why = alone('![a <b>](data:image/svg+xml;base64,PHN2Zz4=)');
  assert.match(why, /^<p><span>a &lt;b> \(.*PNG, JPEG, GIF, WebP and AVIF.*\)<\/span><\/p>/);
  const large = alone(`![a](data:image/png;base64,${'A'.repeat(1_500_000)})`);
  assert.match(large, /^<p><span>a \(.*1 MiB.*\)<\/span><\/p>/);
  assert.doesNotMatch(alone('[x](data:text/html,y) <data:text/html,z>'), /href/);
});

test('tasks, bare addresses, struck text and the alignment of columns are shown', () => {
  assert.equal(
    alone('- [x] a *b*\n  - [ ] c\n\n- [ ] d'),
    [
      '<ul>\n<li>\n<p><input type="checkbox" disabled checked aria-label="a b" /> a <em>b</em></p>\n<ul>',
      '<li><input type="checkbox" disabled aria-label="c" /> c</li>\n</ul>\n</li>',
      '<li>\n<p><input type="checkbox" disabled aria-label="d" /> d</p>\n</li>\n</ul>\n',
    ].join('\n'),
  );
  const web = (href: string, text: string) =>
    `<a href="${href}" rel="noopener noreferrer nofollow">${text}</a>`;
  assert.equal(
    alone('https://example.org www.example.org a@example.org ~~x~~'),
    `<p>${web('https://example.org', 'https://example.org')} ${web('http://www.example.org', 'www.example.org')} ${web('mailto:a@example.org', 'a@example.org')} <del>x</del></p>\n`,
  );
  assert.match(alone('|a|b|\n|:-:|-:|\n|c|d|'), /<td align="center">c<\/td>\n<td align="right">d<\/td>/);
});

test('footnotes lead to their texts and back', () => {
  assert.equal(
    alone('a[^n] b[^n]\n\n[^n]: note'),
    [
      '<p>a<sup><a href="#footnote-1" id="footnote-1-reference" aria-label="Footnote 1">1</a></sup>',
      ' b<sup><a href="#footnote-1" aria-label="Footnote 1">1</a></sup></p>\n',
      '<section aria-label="Footnotes"><ol><li id="footnote-1"><p>note',
      ' <a href="#footnote-1-reference" aria-label="Back to the text">↩</a></p></li></ol></section>\n',
    ].join(''),
  );
});

test('raw HTML is text', () => {
  assert.equal(alone('<div>\n*a*\n</div>'), '<pre>&lt;div>\n*a*\n&lt;/div></pre>\n');
});

test('a text that nests too deep is not rendered', () => {
  assert.equal(renderMarkdown({ text: '>'.repeat(2000), neighbours }), null);
  assert.match(alone(`${'>'.repeat(300)}a`), /<p>a<\/p>/);
});
