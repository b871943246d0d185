import assert from 'node:assert/strict';

const tag = /<\/?(\w+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g;
const attribute = /\s+([\w-]+)(?:="([^"]*)")?/g;

const elements = new Set([
  ...['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'html', 'img'],
  ...[
    'input',
    'li',
    'ol',
    'p',
    'pre',
    'section',
    'span',
    'strong',
    'sup',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
  ],
  ...['tr', 'ul'],
]);
const attributes = new Set([
  ...[
    'align',
    'alt',
    'checked',
    'data-footnote',
    'data-language',
    'disabled',
    'href',
    'src',
    'start',
    'title',
  ],
  ...['type'],
]);
const safeAddress = /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp|avif)|[^:]*$|[^:]*[/?#])/i;

/** Asserts that HTML has only elements and attributes of Markdown, and no address that runs code. */
export function assertSafe(html: string, also: Iterable<string> = []): void {
  const allowed = attributes.union(new Set(also));
  const text = html.replaceAll(tag, (_, name: string, list: string) => {
    assert.ok(elements.has(name), `<${name}> in ${html}`);
    for (const [, key = '', value = ''] of list.matchAll(attribute)) {
      assert.ok(allowed.has(key), `${key} in ${html}`);
      const address = value.replaceAll('&amp;', '&');
      if (key === 'href' || key === 'src') assert.match(address, safeAddress);
    }
    return '';
  });
  assert.ok(!text.includes('<'), text);
}
