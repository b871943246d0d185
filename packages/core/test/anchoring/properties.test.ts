import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ByteRange, matchAnchor, type ResolvedAnchor, resolveAnchor } from '@stoa/core';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { bytesOf, storedAnchor } from './score.ts';

function resolve(before: string, quoted: ByteRange, after: string): ResolvedAnchor {
  const pinnedRange = {
    start: bytesOf(before.slice(0, quoted.start)).length,
    end: bytesOf(before.slice(0, quoted.end)).length,
  };
  const anchor = storedAnchor(before, pinnedRange);
  return resolveAnchor({ pinnedContent: bytesOf(before), pinnedRange, content: bytesOf(after), anchor });
}

/** A text of distinct words, so that its words identify every position. */
const distinctWords = fc
  .array(
    fc.tuple(
      fc.constantFrom('plan', 'größe', '計画', 'wave', '🎉go'),
      fc.constantFrom(' ', '\n', '\n\n', ', '),
    ),
    {
      minLength: 12,
      maxLength: 60,
    },
  )
  .map((parts) => parts.map(([word, gap], i) => ({ word: `${word}${i}x`, gap })));

test('an edit elsewhere never moves an anchor', () => {
  fc.assert(
    fc.property(
      distinctWords,
      fc.nat(),
      fc.nat(),
      fc.nat(),
      fc.nat(3),
      (words, at, size, editAt, removed) => {
        const first = at % words.length;
        const last = Math.min(words.length - 1, first + (size % 6));
        const textOf = (parts: typeof words) => parts.map(({ word, gap }) => word + gap).join('');
        const before = textOf(words);
        const start = textOf(words.slice(0, first)).length;
        const quote = textOf(words.slice(first, last + 1)).trimEnd();
        // A word stays on each side of the quote, where there is one.
        const edit = editAt % (words.length + 1);
        fc.pre(edit + removed < first || edit > last + 1);
        const changed = words.toSpliced(
          edit,
          removed,
          { word: 'inserted99y', gap: ' ' },
          { word: 'text98y', gap: '\n' },
        );
        const after = textOf(changed);
        const resolved = resolve(before, { start, end: start + quote.length }, after);
        assert.equal(resolved.status, 'anchored');
        assert.equal(resolved.currentText, quote);
        assert.equal(resolved.range?.start, bytesOf(after.slice(0, after.indexOf(quote))).length);
      },
    ),
    { numRuns: scaled(500) },
  );
});

test('an insertion elsewhere never loses an anchor, whatever the text repeats', () => {
  const repetitive = fc.string({ unit: fc.constantFrom('a ', 'b ', 'a b ', '. ', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(repetitive, repetitive, repetitive, repetitive, (head, tail, inserted, rest) => {
      const quote = 'a b a';
      const before = `${head}${quote} ${tail}${rest}`;
      const after = `${head}${quote} ${tail}${inserted}${rest}`;
      const resolved = resolve(before, { start: head.length, end: head.length + quote.length }, after);
      assert.notEqual(resolved.status, 'outdated');
      if (resolved.currentText !== null) assert.equal(resolved.currentText.replace(/\s+/g, ' '), quote);
    }),
    { numRuns: scaled(1000) },
  );
});

/**
 * Blocks with the same phrase, distinguished only by the words around it. A new block that replaces a deleted one and
 * shares most of its words would look like an edit of it. The test makes no such block.
 */
const phrase = 'Status: on track';
const blockOf = (id: number): string =>
  `Team number${id} met on day${id}. ${phrase}, says lead${id} of the team.`;
const ownerAt = (text: string, at: number): string =>
  /number(\d+) /.exec(text.slice(text.lastIndexOf('Team', at)))?.[1] ?? '';

test('an anchor never lands silently on a look-alike', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 9 }),
      fc.nat(),
      fc.array(fc.tuple(fc.constantFrom('delete', 'move', 'copy', 'add', 'reword'), fc.nat(), fc.nat()), {
        maxLength: 5,
      }),
      fc.boolean(),
      (count, which, edits, isPinnedDeleted) => {
        const pinned = which % count;
        const blocks = Array.from({ length: count }, (_, id) => blockOf(id));
        const before = blocks.join('\n\n');
        const start = before.indexOf(phrase, before.indexOf(`number${pinned} `));
        const own = blocks[pinned];
        let now: string[] = [...blocks];
        if (isPinnedDeleted) now = now.filter((block) => block !== own);
        for (const [kind, a, b] of edits) {
          const at = a % Math.max(1, now.length);
          if (kind === 'add')
            now.splice(at, 0, `Nobody${b} expected this. ${phrase}, which surprised${b} us.`);
          const block = now[at];
          if (block === undefined || block === own) continue;
          if (kind === 'delete') now.splice(at, 1);
          if (kind === 'move') now.splice(b % (now.length + 1), 0, ...now.splice(at, 1));
          if (kind === 'copy') now.splice(b % (now.length + 1), 0, block);
          if (kind === 'reword') now[at] = block.replace('met on', 'met again on');
        }
        const after = now.join('\n\n');
        const resolved = resolve(before, { start, end: start + phrase.length }, after);
        if (isPinnedDeleted) assert.notEqual(resolved.status, 'anchored', after);
        else {
          // After moves and copies of the same text, "ambiguous" is acceptable, but a lost anchor is not.
          assert.notEqual(resolved.status, 'outdated', after);
          if (edits.every(([kind]) => kind !== 'move' && kind !== 'copy'))
            assert.equal(resolved.status, 'anchored', after);
          if (resolved.range !== null) assert.equal(ownerAt(after, resolved.range.start), `${pinned}`, after);
        }
      },
    ),
    { numRuns: scaled(1000) },
  );
});

test('a block that moves takes its anchor along', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 9 }), fc.nat(), fc.nat(), (count, which, target) => {
      const pinned = which % count;
      const blocks = Array.from({ length: count }, (_, id) => blockOf(id));
      const before = blocks.join('\n\n');
      const start = before.indexOf(phrase, before.indexOf(`number${pinned} `));
      const after = blocks
        .toSpliced(pinned, 1)
        .toSpliced(target % count, 0, blockOf(pinned))
        .join('\n\n');
      const resolved = resolve(before, { start, end: start + phrase.length }, after);
      assert.equal(resolved.status, 'anchored');
      assert.equal(ownerAt(after, resolved.range?.start ?? 0), `${pinned}`);
    }),
  );
});

test('another layout of the white space never loses an anchor', () => {
  fc.assert(
    fc.property(
      distinctWords,
      fc.nat(),
      fc.nat(),
      fc.array(fc.constantFrom(' ', '\r\n', '\u00a0', '\t\n '), { minLength: 1 }),
      (words, at, size, gaps) => {
        const first = at % words.length;
        const last = Math.min(words.length - 1, first + (size % 6));
        const textOf = (parts: typeof words) => parts.map(({ word, gap }) => word + gap).join('');
        const before = textOf(words);
        const start = textOf(words.slice(0, first)).length;
        const quote = textOf(words.slice(first, last + 1)).trimEnd();
        let i = 0;
        const after = before.replace(/\s+/g, () => gaps[i++ % gaps.length] ?? ' ');
        const resolved = resolve(before, { start, end: start + quote.length }, after);
        assert.equal(resolved.currentText?.replace(/\s+/g, ' '), quote.replace(/\s+/g, ' '));
      },
    ),
  );
});

test('for any bytes, a result lies within the file and between its characters', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b ', 'é', '🎉', '\n', '\u00a0', '. ', '“', '計'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, text, fc.nat(), fc.nat(), (before, after, from, size) => {
      fc.pre(before.length > 0);
      const characters = [...before];
      const first = from % characters.length;
      const start = characters.slice(0, first).join('').length;
      const end = characters.slice(0, first + (size % 12)).join('').length;
      const resolved = resolve(before, { start, end: Math.max(start, end) }, after);
      if (resolved.range === null) return assert.equal(resolved.currentText, null);
      const bytes = bytesOf(after);
      assert.ok(
        resolved.range.start >= 0 &&
          resolved.range.end <= bytes.length &&
          resolved.range.start <= resolved.range.end,
      );
      const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      assert.equal(
        strict.decode(bytes.subarray(resolved.range.start, resolved.range.end)),
        resolved.currentText,
      );
    }),
    { numRuns: scaled(3000) },
  );
});

test('an unchanged file resolves every anchor to its position', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b ', 'é', '🎉', '\n', ' ', '. '),
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 8 }), (content, from, size) => {
      const characters = [...content];
      const first = from % characters.length;
      const quote = characters.slice(first, first + size).join('');
      const bytes = bytesOf(content);
      let occurrence = 1;
      for (
        let at = content.indexOf(quote);
        at < characters.slice(0, first).join('').length;
        occurrence += 1
      ) {
        at = content.indexOf(quote, at + 1);
      }
      const placed = matchAnchor({ content: bytes, kind: 'range', quote, occurrence });
      assert.ok(placed.kind === 'placed');
      assert.equal(placed.start, bytesOf(characters.slice(0, first).join('')).length);
      const resolved = resolve(
        content,
        {
          start: content.length - characters.slice(first).join('').length,
          end: content.length - characters.slice(first + size).join('').length,
        },
        content,
      );
      assert.deepEqual(resolved.range, { start: placed.start, end: placed.end });
    }),
  );
});
