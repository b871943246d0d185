import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextMaxBytes, matchAnchor } from '@stoa/core';
import { readParts } from '@stoa/markdown';
import { plainTextOf, type ReadingNode, textsOf } from '@stoa/markdown/tree';
import { markdownCorpus } from '../../../markdown/test/markdown-corpus.ts';
import { markedParts, type Passage } from '../../src/reading/marked-text.ts';
import { quoteOf, selectedSource } from '../../src/reading/quote-selection.ts';
import { shownUnits } from '../../src/reading/shown-units.ts';
import { byteOffsets, utf8Bytes } from '../../src/text/byte-offsets.ts';

const cases: readonly (readonly [source: string, shown: string, quote: string])[] = [
  ['**bold** word', 'bold word', '**bold** word'],
  ['**bold** word', 'old wo', 'old** wo'],
  ['**bold** word', 'bold', '**bold**'],
  ['a *b **c*** d', 'c', '**c**'],
  ['a *b **c*** d', 'b c', '*b **c***'],
  ['a *b **c*** d', 'a b c d', 'a *b **c*** d'],
  ['see [the *plan*](plan.md) now', 'the plan', '[the *plan*](plan.md)'],
  ['see [the *plan*](plan.md) now', 'plan now', '*plan*](plan.md) now'],
  ['a `code` b', 'code', '`code`'],
  ['a `code` b', 'ode b', 'ode` b'],
  ['1 \\* 2 &amp; 3', '* 2 &', '\\* 2 &amp;'],
  ['> one\n> two', 'one\ntwo', 'one\n> two'],
  ['```\nconst a\n```', 'const', 'const'],
  ['# Title #', 'Title', 'Title'],
  ['- [x] done *now*', 'done now', 'done *now*'],
  ['| a | **b** |\n| - | - |\n| c | d |', 'bc', '**b** |\n| - | - |\n| c'],
  ['\ufeff\u{1f600} **a**', '\u{1f600} a', '\u{1f600} **a**'],
  ['one\r\ntwo', 'one\r\ntwo', 'one\r\ntwo'],
];

for (const [source, shown, quote] of cases) {
  test(`selecting ${JSON.stringify(shown)} in ${JSON.stringify(source)} quotes ${JSON.stringify(quote)}`, () => {
    const blocks = read(source);
    const text = blocks.map(plainTextOf).join('');
    const first = text.indexOf(shown);
    assert.ok(first >= 0 && blocks.length === 1, text);
    const range = selectedSource(blocks, { block: 0, unit: first }, { block: 0, unit: first + shown.length });
    assert.equal(range === null ? null : source.slice(range.start, range.end), quote);
  });
}

test('a selection over several blocks quotes what is between them', () => {
  const source = 'a **b**\n\n- c\n- d\n\ne';
  const range = selectedSource(read(source), { block: 0, unit: 2 }, { block: 2, unit: 1 });
  assert.equal(source.slice(range?.start, range?.end), '**b**\n\n- c\n- d\n\ne');
});

test('a selection that ends before the next block begins does not reach into it', () => {
  const source = 'one\n\n**two**';
  const range = selectedSource(read(source), { block: 0, unit: 0 }, { block: 1, unit: 0 });
  assert.equal(source.slice(range?.start, range?.end), 'one');
});

test('a range of the source is shown by the units that select it', () => {
  for (const source of Object.values(markdownCorpus)) {
    const blocks = read(source);
    for (const [block, node] of blocks.entries()) {
      const length = plainTextOf(node).length;
      for (let from = 0; from < length; from += 3) {
        const to = Math.min(length, from + 5);
        const range = selectedSource(blocks, { block, unit: from }, { block, unit: to });
        if (range === null) continue;
        const units = shownUnits(node, range);
        assert.ok(
          units !== null && units.start <= to && units.end >= from,
          source.slice(range.start, range.end),
        );
        const again = selectedSource(blocks, { block, unit: units.start }, { block, unit: units.end });
        assert.ok(again !== null && again.start <= range.start && again.end >= range.end);
      }
    }
  }
});

test('marks and the addresses of links are not shown', () => {
  const source = 'see [the plan](plan.md) and **bold**';
  const [block] = read(source);
  assert.ok(block !== undefined);
  const shown = (part: string) => {
    const start = source.indexOf(part);
    const units = shownUnits(block, { start, end: start + part.length });
    return units === null ? null : plainTextOf(block).slice(units.start, units.end);
  };
  assert.equal(shown('plan.md'), null);
  assert.equal(shown('the plan](plan.md) and **bo'), 'the plan and bo');
});

test('every quote of the corpus is placed by the server where it was selected', () => {
  for (const source of Object.values(markdownCorpus)) {
    const content = new TextEncoder().encode(source);
    const offsets = byteOffsets(source);
    const blocks = read(source);
    for (const [block, node] of blocks.entries()) {
      const length = plainTextOf(node).length;
      for (let from = 0; from < length; from += 3) {
        const to = Math.min(length, from + 5);
        const range = selectedSource(blocks, { block, unit: from }, { block, unit: to });
        if (range === null || !source.slice(range.start, range.end).isWellFormed()) continue;
        const quoted = quoteOf(source, range);
        assert.ok(quoted.kind === 'quote');
        assert.ok(utf8Bytes(quoted.contextBefore) <= contextMaxBytes);
        const placed = matchAnchor({ content, ...quoted, kind: 'range' });
        assert.ok(placed.kind === 'placed', `${JSON.stringify(quoted)} in ${JSON.stringify(source)}`);
        assert.equal(placed.start, offsets.byteOf(range.start));
        assert.equal(placed.end, offsets.byteOf(range.end));
      }
    }
  }
});

test('repeated text is counted as the server counts it, including overlaps', () => {
  const source = 'aaaa aaa';
  const quoted = quoteOf(source, { start: 5, end: 7 });
  assert.ok(quoted.kind === 'quote');
  assert.equal(quoted.occurrence, 4);
});

test('a context is at most 512 bytes of whole characters', () => {
  const source = `${'\u{1f600}'.repeat(300)}x${'\u00e9'.repeat(600)}`;
  const quoted = quoteOf(source, { start: 600, end: 601 });
  assert.ok(quoted.kind === 'quote');
  assert.equal(quoted.contextBefore, '\u{1f600}'.repeat(128));
  assert.equal(quoted.contextAfter, '\u00e9'.repeat(256));
});

test('above 4 KiB nothing is quoted', () => {
  const source = 'x'.repeat(5000);
  assert.equal(quoteOf(source, { start: 0, end: 4096 }).kind, 'quote');
  assert.equal(quoteOf(source, { start: 0, end: 4097 }).kind, 'too_large');
});

test('a passage is marked in each text that shows some of it, and begins once', () => {
  const source = 'a **bold** word \\* end';
  const passages: readonly Passage[] = [
    { id: 'one', start: source.indexOf('old'), end: source.indexOf(' end') },
    { id: 'two', start: source.indexOf('word'), end: source.length },
  ];
  const begun = new Set<string>();
  const parts = read(source).flatMap((block) =>
    [...textsOf(block)].flatMap((text) => markedParts(text, passages, begun)),
  );
  assert.deepEqual(
    parts.map(({ text, passages: ids, begins }) => [text, ids.join(), begins.join()]),
    [
      ['a ', '', ''],
      ['b', '', ''],
      ['old', 'one', 'one'],
      [' ', 'one', ''],
      ['word *', 'one,two', 'two'],
      [' end', 'two', ''],
    ],
  );
});

function read(source: string): readonly ReadingNode[] {
  return [...readParts(source)].flatMap((part) => (part.kind === 'blocks' ? part.blocks : []));
}
