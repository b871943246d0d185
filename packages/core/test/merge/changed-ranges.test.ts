import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTextEdits, changedRanges } from '@stoa/core';
import fc from 'fast-check';

test('changed ranges are the lines that differ in both texts', () => {
  assert.deepEqual(changedRanges('a\nb\nc\n', 'a\nB\nc\nd'), [
    { older: { start: 2, end: 4 }, newer: { start: 2, end: 4 } },
    { older: { start: 6, end: 6 }, newer: { start: 6, end: 7 } },
  ]);
  assert.deepEqual(changedRanges('same\n', 'same\n'), []);
  assert.deepEqual(changedRanges('', 'new'), [{ older: { start: 0, end: 0 }, newer: { start: 0, end: 3 } }]);
});

test('text outside the ranges is equal in both texts, and replacing the ranges gives the newer text', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, fc.boolean(), (a, b, ended) => {
      const older = a.join('\n') + (ended ? '\n' : '');
      const newer = b.join('\n');
      const ranges = changedRanges(older, newer);
      const edits = ranges.map(({ older, newer: to }) => ({ ...older, text: newer.slice(to.start, to.end) }));
      assert.equal(applyTextEdits(older, edits), newer);
      let [olderAt, newerAt] = [0, 0];
      for (const range of ranges) {
        const unchanged = older.slice(olderAt, range.older.start);
        assert.equal(newer.slice(newerAt, range.newer.start), unchanged);
        assert.ok(range.older.end > range.older.start || range.newer.end > range.newer.start);
        [olderAt, newerAt] = [range.older.end, range.newer.end];
      }
    }),
  );
});
