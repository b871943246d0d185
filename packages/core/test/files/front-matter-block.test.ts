import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { frontMatterBlock } from '../../src/index.ts';

/** Returns the text in the block and the text after it. */
function parts(text: string): readonly [content: string, rest: string] | null {
  const block = frontMatterBlock(text);
  return block === null ? null : [text.slice(block.contentStart, block.contentEnd), text.slice(block.end)];
}

const table: readonly (readonly [name: string, text: string, parts: ReturnType<typeof parts>])[] = [
  ['a block', '---\na: 1\n---\ntext\n', ['a: 1\n', 'text\n']],
  ['an empty block', '---\n---\ntext', ['', 'text']],
  ['a block and nothing else', '---\na: 1\n---', ['a: 1\n', '']],
  ['a byte order mark in front', '\ufeff---\na: 1\n---\ntext', ['a: 1\n', 'text']],
  ['CRLF', '---\r\na: 1\r\n---\r\ntext', ['a: 1\r\n', 'text']],
  ['spaces after the marks', '--- \na: 1\n---\t \ntext', ['a: 1\n', 'text']],
  ['the next such line ends it', '---\na\n---\nb\n---\n', ['a\n', 'b\n---\n']],
  ['indented and longer lines do not', '---\n ---\n----\n--- b\n---\n', [' ---\n----\n--- b\n', '']],
  ['no end', '---\na: 1\n', null],
  ['only the first line', '---\n', null],
  ['only three marks', '---', null],
  ['not at the beginning', '\n---\na: 1\n---\n', null],
  ['a longer first line', '----\na: 1\n---\n', null],
  ['carriage returns alone end no line', '---\ra: 1\r---\r', null],
  ['a separator of another kind ends no line', '---\na\u2028---\nb', null],
  ['nothing', '', null],
];
for (const [name, text, expected] of table) {
  test(`front matter: ${name}`, () => assert.deepEqual(parts(text), expected));
}

const limit = 64 * 1024;
const filled = (size: number, unit: string): string =>
  `---\n${unit.repeat(Math.floor((size - 9) / Buffer.byteLength(unit)))}\n---\n`;

test('front matter has to end within 64 KiB, counted in bytes', () => {
  for (const unit of ['a', '界']) {
    const size = Buffer.byteLength(filled(limit, unit));
    assert.ok(limit - size < 3);
    assert.notEqual(frontMatterBlock(`${filled(limit, unit)}text`), null, unit);
    assert.equal(frontMatterBlock(filled(limit + 3, unit)), null, unit);
  }
});

test('the first 64 KiB give the same result as the whole file', () => {
  const unit = fc.constantFrom('\n', '---', '---\n', '-', ' ', 'a', '界', '🙂', '\r\n');
  fc.assert(
    fc.property(
      fc.integer({ min: -12, max: 12 }),
      fc.constantFrom('a', '界', '🙂'),
      fc.array(unit),
      (by, filling, end) => {
        const start = '\ufeff---\n';
        const room = limit + by - Buffer.byteLength(start + end.join(''));
        const text = start + filling.repeat(room / Buffer.byteLength(filling)) + end.join('');
        const whole = Buffer.from(text);
        const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole.subarray(0, limit));
        assert.deepEqual(frontMatterBlock(head), frontMatterBlock(text));
      },
    ),
    { numRuns: scaled(500) },
  );
});
