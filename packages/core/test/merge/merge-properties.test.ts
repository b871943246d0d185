import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { applyTextEdits, mergeTexts, type TextMerge } from '../../src/index.ts';

const units = [
  'a',
  'b',
  ' ',
  ' ',
  '\n',
  '\n',
  '\r\n',
  '\r',
  'word',
  'zwei',
  '🙂',
  '😀',
  'é',
  '界',
  '.',
  '-',
  '\u0301',
  '\ufeff',
];
const text = fc.array(fc.constantFrom(...units), { maxLength: 24 }).map((parts) => parts.join(''));

/** A text and two versions of it with a few edits each, so that they have much in common. */
const three = fc
  .tuple(
    fc.array(fc.constantFrom(...units), { maxLength: 40 }),
    fc.array(fc.tuple(fc.nat(40), fc.nat(3), text), { maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(40), fc.nat(3), text), { maxLength: 3 }),
  )
  .map(([base, mine, theirs]) => [base.join(''), edited(base, mine), edited(base, theirs)] as const);
const within = fc.constantFrom('lines' as const, 'words' as const);

function edited(base: readonly string[], edits: readonly (readonly [number, number, string])[]): string {
  const parts = [...base];
  for (const [at, size, inserted] of edits) parts.splice(at, size, inserted);
  return parts.join('');
}

function mergedText(mine: string, merge: TextMerge): string | null {
  return merge.overlaps.length > 0 ? null : applyTextEdits(mine, merge.edits);
}

const runs = { numRuns: scaled(3000) };

test('if only one side changed, the merge is that side', () => {
  fc.assert(
    fc.property(three, within, ([base, mine], how) => {
      assert.deepEqual(mergeTexts(base, mine, base, { within: how }), { edits: [], overlaps: [] });
      assert.equal(mergedText(base, mergeTexts(base, base, mine, { within: how })), mine);
    }),
    runs,
  );
});

test('an equal change on both sides counts once', () => {
  fc.assert(
    fc.property(three, within, ([base, mine], how) => {
      assert.deepEqual(mergeTexts(base, mine, mine, { within: how }), { edits: [], overlaps: [] });
    }),
    runs,
  );
});

test('the merge is symmetric in both sides', () => {
  fc.assert(
    fc.property(three, within, ([base, mine, theirs], how) => {
      const there = mergeTexts(base, mine, theirs, { within: how });
      const back = mergeTexts(base, theirs, mine, { within: how });
      assert.equal(mergedText(mine, there), mergedText(theirs, back));
      const exchanged = back.overlaps.map((each) => ({
        base: each.base,
        mine: each.theirs,
        theirs: each.mine,
      }));
      assert.deepEqual(there.overlaps, exchanged);
    }),
    runs,
  );
});

test('edits stand in order, touch no overlap and cut no character; overlaps are whole lines', () => {
  const cutsPair = (whole: string, at: number): boolean =>
    at > 0 && at < whole.length && (whole.codePointAt(at - 1) ?? 0) > 0xffff;
  fc.assert(
    fc.property(three, within, ([base, mine, theirs], how) => {
      const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: how });
      let end = -1;
      for (const edit of edits) {
        assert.ok(edit.start > end && edit.end >= edit.start && edit.end <= mine.length);
        assert.ok(edit.start < edit.end || edit.text !== '');
        assert.ok(!cutsPair(mine, edit.start) && !cutsPair(mine, edit.end) && edit.text.isWellFormed());
        assert.ok(overlaps.every(({ mine: kept }) => edit.end < kept.start || edit.start > kept.end));
        end = edit.end;
      }
      const sides = { base, mine, theirs };
      for (const overlap of overlaps) {
        for (const side of ['base', 'mine', 'theirs'] as const) {
          for (const at of [overlap[side].start, overlap[side].end])
            assert.ok(at === 0 || at === sides[side].length || sides[side][at - 1] === '\n', `${side} ${at}`);
        }
      }
    }),
    runs,
  );
});

test('the edits leave mine as it is at every overlap', () => {
  fc.assert(
    fc.property(three, within, ([base, mine, theirs], how) => {
      const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: how });
      const merged = applyTextEdits(mine, edits);
      let shift = 0;
      let at = 0;
      for (const { mine: kept } of overlaps) {
        for (; (edits[at]?.end ?? Infinity) < kept.start; at += 1) {
          const edit = edits[at];
          if (edit !== undefined) shift += edit.text.length - (edit.end - edit.start);
        }
        assert.equal(merged.slice(kept.start + shift, kept.end + shift), mine.slice(kept.start, kept.end));
      }
    }),
    runs,
  );
});

/** Distinct lines, or distinct words of one line, so that the change of each side is unambiguous. */
const distinct = fc
  .record({
    size: fc.integer({ min: 1, max: 30 }),
    mine: fc.array(fc.tuple(fc.nat(29), fc.constantFrom('delete', 'replace', 'insert')), { maxLength: 5 }),
    theirs: fc.array(fc.tuple(fc.nat(29), fc.constantFrom('delete', 'replace', 'insert')), { maxLength: 5 }),
    how: within,
  })
  .map(({ size, how, ...sides }) => {
    const separator = how === 'lines' ? '\n' : ' ';
    const deeds = { mine: new Map(sides.mine), theirs: new Map(sides.theirs) };
    const textOf = (name: 'base' | 'mine' | 'theirs'): string => {
      const chunks: string[] = [];
      for (let i = 0; i < size; i += 1) {
        const deed = name === 'base' ? undefined : deeds[name].get(i);
        if (deed === 'insert' || deed === 'replace') chunks.push(`${name}${i}`);
        if (deed !== 'delete' && deed !== 'replace') chunks.push(`base${i}`);
      }
      return chunks.map((chunk) => chunk + separator).join('');
    };
    return { size, how, deeds, base: textOf('base'), mine: textOf('mine'), theirs: textOf('theirs') };
  });

const wordsIn = (whole: string): ReadonlySet<string> =>
  new Set(whole.split(/\s+/).filter((word) => word !== ''));

test('nothing that only one side changed is lost: what it wrote is there, and what it deleted is gone', () => {
  fc.assert(
    fc.property(distinct, ({ how, deeds, base, mine, theirs }) => {
      const merge = mergeTexts(base, mine, theirs, { within: how });
      const merged = wordsIn(applyTextEdits(mine, merge.edits));
      const kept = wordsIn(merge.overlaps.map(({ theirs: at }) => theirs.slice(at.start, at.end)).join('\n'));
      for (const word of wordsIn(mine)) {
        const deletedByThem = !wordsIn(theirs).has(word) && wordsIn(base).has(word);
        if (!deletedByThem) assert.ok(merged.has(word), `${word} of mine`);
        else if (merge.overlaps.length === 0) assert.ok(!merged.has(word), `${word} deleted by them`);
      }
      for (const word of wordsIn(theirs)) {
        const deletedByMe = !wordsIn(mine).has(word) && wordsIn(base).has(word);
        if (deletedByMe) assert.ok(!merged.has(word), `${word} deleted by me`);
        else assert.ok(merged.has(word) || kept.has(word), `${word} of theirs`);
      }
      assert.ok(deeds.mine.size > 0 || merge.overlaps.length === 0);
    }),
    runs,
  );
});

test('changes with an unchanged line between them merge, and within words those with an unchanged word', () => {
  fc.assert(
    fc.property(distinct, ({ size, how, deeds, base, mine, theirs }) => {
      const locations = (deed: Map<number, string>): readonly number[] =>
        [...deed.keys()].filter((location) => location < size);
      const isApart = locations(deeds.mine).every((a) =>
        locations(deeds.theirs).every((b) => Math.abs(a - b) > 1),
      );
      fc.pre(isApart);
      const merged = mergedText(mine, mergeTexts(base, mine, theirs, { within: how }));
      assert.ok(merged !== null);
      const expected: string[] = [];
      for (let i = 0; i < size; i += 1) {
        const deed = deeds.mine.get(i) ?? deeds.theirs.get(i);
        if (deed === 'insert' || deed === 'replace')
          expected.push(`${deeds.mine.has(i) ? 'mine' : 'theirs'}${i}`);
        if (deed !== 'delete' && deed !== 'replace') expected.push(`base${i}`);
      }
      assert.deepEqual(
        merged.split(/\s+/).filter((word) => word !== ''),
        expected,
      );
    }),
    runs,
  );
});
