import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../tests/support/random.ts';
import { type ReadingPart, readParts } from '../src/read-parts.ts';
import { isText, plainTextOf, type ReadingElement, type ReadingNode, textsOf } from '../src/tree.ts';
import { markdownCorpus } from './markdown-corpus.ts';

const whole = { first: 10_000_000, further: 10_000_000 };

for (const [name, source] of Object.entries(markdownCorpus)) {
  test(`each text of "${name}" has its correct position in the source`, () => {
    for (const block of read(source, whole)) {
      for (const { text, ranges: chunks } of textsOf(block)) {
        let at = 0;
        let before = -1;
        for (let chunk = 0; chunk < chunks.length; chunk += 3) {
          const [units = 0, start = 0, end = 0] = chunks.slice(chunk, chunk + 3);
          const shown = text.slice(at, at + units);
          const written = source.slice(start, end);
          // In code within a line, its line ends are shown as spaces.
          if (end - start === units)
            assert.ok(shown === written || shown === written.replaceAll(/[\r\n]/g, ' '));
          else assert.match(written, /^[\\&]/, `${JSON.stringify(shown)} from ${JSON.stringify(written)}`);
          assert.ok(start >= before, 'the texts are not in order');
          before = end;
          at += units;
        }
        if (chunks.length > 0) assert.equal(at, text.length, `all of ${JSON.stringify(text)}`);
      }
    }
  });

  test(`"${name}" reads the same in parts of any size`, () => {
    const expected = read(source, whole);
    for (const units of [1, 7, 23, 64]) {
      assert.deepEqual(read(source, { first: units, further: units }), expected, `${units} units`);
    }
  });
}

test('a heading is one level down and has a name for links', () => {
  const [first, second] = read('# Goals & *aims*\n\n###### Goals & aims\n');
  assert.equal(elementOf(first).name, 'h2');
  assert.equal(elementOf(first).facts.id, 'goals--aims');
  assert.equal(elementOf(second).name, 'h6');
  assert.equal(elementOf(second).facts.id, 'goals--aims-1');
});

test('headings have different ids, as on GitHub', () => {
  const idsOf = (source: string, sizes = {}) => read(source, sizes).map((block) => elementOf(block).facts.id);
  assert.deepEqual(idsOf('## Same\n\n## Same\n\n## Same-1\n\n## Same\n\n## Same-1\n'), [
    ...['same', 'same-1', 'same-1-1', 'same-2', 'same-1-2'],
  ]);
  assert.deepEqual(idsOf('## a-1\n\n## a\n\n## a\n'), ['a-1', 'a', 'a-2']);
  const names = fc.constantFrom(
    'a',
    'A',
    'a-1',
    'a-1-1',
    'a 1',
    'a-2',
    '!',
    '1',
    '',
    '-1',
    'constructor',
    '__proto__',
  );
  fc.assert(
    fc.property(fc.array(names, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (names, units) => {
      const source = names.map((name) => `## ${name}\n\n`).join('');
      const ids = idsOf(source);
      assert.equal(new Set(ids).size, names.length);
      assert.deepEqual(idsOf(source, { first: units, further: units }), ids);
    }),
    { numRuns: scaled(200) },
  );
});

test('ticking a task of any text changes that task alone', () => {
  const part = fc.constantFrom(
    ...[
      '- [ ] a\n',
      '- [x] b\n',
      '  - [X] [c](c.md)\n',
      '1. [ ] [d]\n',
      '> * [ ]\te\n',
      '- [ ]\n',
      '- [ ] [ ] f\n',
    ],
    ...[
      '\n',
      'text [ ] [x]\n',
      '```\n',
      '- [ ]\n  next line\n',
      '[d]: x.md\n',
      '---\n',
      '\r\n',
      '- [ ] \\[ ] g\n',
    ],
  );
  const tasksOf = (source: string) =>
    read(source).flatMap((block) => (isText(block) ? [] : inputsOf(block).map(({ facts }) => facts)));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const source = parts.join('');
      const tasks = tasksOf(source);
      for (const [index, { checkAt, isDone = false }] of tasks.entries()) {
        if (checkAt === undefined) continue;
        const ticked = source.slice(0, checkAt) + (isDone ? ' ' : 'x') + source.slice(checkAt + 1);
        assert.deepEqual(tasksOf(ticked), tasks.with(index, { checkAt, isDone: !isDone }));
      }
    }),
    { numRuns: scaled(300) },
  );
});

test('raw HTML is text', () => {
  const [paragraph, block] = read('a <b onclick="x">c</b>\n\n<script>alert(1)</script>\n');
  assert.equal(plainTextOf(elementOf(paragraph)), 'a <b onclick="x">c</b>');
  assert.equal(elementOf(block).name, 'html');
  assert.equal(plainTextOf(elementOf(block)), '<script>alert(1)</script>');
});

test('a task knows where its box is', () => {
  const source = '- [ ] open\n- [x] done\n';
  const [list] = read(source);
  const boxes = inputsOf(elementOf(list)).map(({ facts }) => facts);
  assert.deepEqual(boxes, [
    { isDone: false, checkAt: 3 },
    { isDone: true, checkAt: 14 },
  ]);
  assert.deepEqual(
    boxes.map(({ checkAt = 0 }) => source[checkAt]),
    [' ', 'x'],
  );
});

test('an address that would run code becomes no link', () => {
  const source =
    '[a](javascript:x) [b](JaVaScRiPt:x) [c](data:text/html,x) ![d](data:image/svg+xml,x) <vbscript:x>\n';
  for (const block of read(source)) {
    for (const element of elementsOf(block)) {
      assert.equal(element.facts.href, undefined);
      assert.equal(element.facts.src, undefined);
    }
  }
});

test('a raster picture within the text is kept, any other says why it is not', () => {
  const large = `data:image/png;base64,${'A'.repeat(1_500_000)}`;
  const [paragraph] = read(
    `![a](data:image/png;base64,AAAA) ![b](data:image/svg+xml;base64,AAAA) ![c](${large}) ![d][d]\n\n[d]: <data:image/gif;base64,AAAA>\n`,
  );
  const pictures = [...elementsOf(elementOf(paragraph))].filter(({ name }) => name === 'img');
  assert.deepEqual(
    pictures.map(({ facts: { src, notShown } }) => [src, notShown]),
    [
      ['data:image/png;base64,AAAA', undefined],
      [undefined, 'other'],
      [undefined, 'too_large'],
      ['data:image/gif;base64,AAAA', undefined],
    ],
  );
});

test('a reference whose definition comes parts later is read again, and nothing else is', () => {
  const filler = Array.from({ length: 40 }, (_, index) => `paragraph ${index}\n\n`).join('');
  const source = `see [it][x]\n\n${filler}[x]: there.md\n`;
  const parts = [...readParts(source, { first: 100, further: 100 })];
  const again = parts.filter((part) => part.kind === 'blocks' && part.part === 0);
  assert.equal(again.length, 2);
  assert.equal(parts.filter(({ kind }) => kind === 'blocks').length, new Set(numbers(parts)).size + 1);
});

test('text that is one block shows before all of it is read', () => {
  const source = '- item\n'.repeat(200);
  const [first] = readParts(source, { first: 70, further: 70 });
  assert.equal(first?.kind, 'tail');
});

function numbers(parts: readonly ReadingPart[]): number[] {
  return parts.flatMap((part) => (part.kind === 'blocks' ? [part.part] : []));
}

/** Returns all blocks after the last part. */
function read(source: string, sizes = {}): readonly ReadingNode[] {
  const parts: (readonly ReadingNode[])[] = [];
  let footnotes: readonly ReadingNode[] = [];
  for (const part of readParts(source, sizes)) {
    if (part.kind === 'blocks') parts[part.part] = part.blocks;
    if (part.kind === 'footnotes') footnotes = part.blocks;
  }
  return [...parts.flat(), ...footnotes];
}

function elementOf(node: ReadingNode | undefined): ReadingElement {
  assert.ok(node !== undefined && !isText(node));
  return node;
}

function* elementsOf(node: ReadingNode): Generator<ReadingElement> {
  if (isText(node)) return;
  yield node;
  for (const child of node.children) yield* elementsOf(child);
}

const inputsOf = (node: ReadingElement) => [...elementsOf(node)].filter(({ name }) => name === 'input');
