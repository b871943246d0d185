import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostileFiles } from '../../../tests/browser/hostile-files.ts';
import { scaled } from '../../../tests/support/random.ts';
import { htmlOf } from '../src/html-of.ts';
import { readMarkdown, readParts } from '../src/index.ts';
import { plainTextOf } from '../src/tree.ts';
import { assertSafe } from './assert-safe.ts';
import { markdownCorpus } from './markdown-corpus.ts';

const htmlFrom = (source: string, start?: number): string => {
  const root = readMarkdown(source, { start });
  assert.ok(root !== null);
  return htmlOf(root);
};

for (const { name, bytes } of hostileFiles()) {
  test(`hostile ${name} yields no script, no event handler and no unsafe address`, () => {
    assertSafe(htmlFrom(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()));
  });
}

test('any text yields safe elements only', () => {
  const part = fc.constantFrom(
    ...[
      '<script>',
      '</p>',
      '<img src=x onerror=x>',
      '"',
      "'",
      '`',
      '```',
      '[a](',
      ')',
      '![',
      '](',
      '<',
      '>',
      '&',
    ],
    ...[
      'javascript:x',
      'data:image/svg+xml,x',
      '&#106;avascript:x',
      '\n',
      '\n\n',
      '> ',
      '- [ ] ',
      '| a |\n|-|\n',
    ],
    ...[
      '[^a]',
      '[^a]: ',
      '[b]: ',
      '"t" onclick="x"',
      'https://x',
      'www.x.example',
      'x@y.example',
      '\\',
      '~~',
      '*',
    ],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      assertSafe(htmlFrom(parts.join('')));
    }),
    { numRuns: scaled(500) },
  );
});

for (const [name, source] of Object.entries(markdownCorpus)) {
  test(`"${name}" has the same text as a whole and in parts`, () => {
    const parts: string[] = [];
    const footnotes: string[] = [];
    for (const read of readParts(source, { first: 1e6, further: 1e6 })) {
      if (read.kind === 'blocks') parts[read.part] = read.blocks.map(plainTextOf).join('');
      if (read.kind === 'footnotes') footnotes.push(...read.blocks.map(plainTextOf));
    }
    const text = htmlFrom(source)
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    // Line ends between elements only format the HTML.
    const spaceless = (each: string) => each.replaceAll(/\s/g, '');
    assert.equal(spaceless(text), spaceless([...parts, ...footnotes].join('')));
  });
}

test('footnotes follow the text in the order of their numbers', () => {
  assert.equal(
    htmlFrom('a[^x] b[^y] c[^x]\n\n[^y]: second\n\n[^x]: first[^z]\n\n[^z]: third\n\n[^no]: unused\n'),
    [
      '<p>a<sup><a data-footnote="1">1</a></sup> b<sup><a data-footnote="2">2</a></sup> c<sup><a data-footnote="1">1</a></sup></p>',
      '<section data-footnote="1"><p>first<sup><a data-footnote="3">3</a></sup></p></section>',
      '<section data-footnote="2"><p>second</p></section>',
      '<section data-footnote="3"><p>third</p></section>',
      '',
    ].join('\n'),
  );
});

test('reading starts after front matter and a byte order mark', () => {
  assert.equal(htmlFrom('---\na: 1\n---\n# T\n', 13), '<h1>T</h1>\n');
  assert.equal(htmlFrom('\ufeff# T\n'), '<h1>T</h1>\n');
  assert.equal(htmlFrom(''), '');
});

test('the scheme of an address is safe in any case', () => {
  assert.equal(
    htmlFrom('[a](HTTPS://x) [b](Mailto:x@y) [c](JavaScript:x)'),
    ['<p><a href="HTTPS://x">a</a> <a href="Mailto:x@y">b</a> <a>c</a></p>\n'].join(''),
  );
});

test('a text that nests too deep for the stack is not read', () => {
  for (const levels of [100, 400]) assert.match(htmlFrom(`${'>'.repeat(levels)}a`), /<p>a<\/p>/);
  for (const text of [`${'>'.repeat(2000)}a`, `${'- '.repeat(1000)}a`])
    assert.equal(readMarkdown(text), null);
});
