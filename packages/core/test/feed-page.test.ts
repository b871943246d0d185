import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextSeqAfter } from '../src/index.ts';

const table: readonly (readonly [what: string, scan: Parameters<typeof nextSeqAfter>[0], next: number])[] = [
  ['a full page ends at its last change', { sinceSeq: 0, head: 9, limit: 2, scannedSeqs: [1, 2] }, 2],
  ['a page that is not full ends at head', { sinceSeq: 2, head: 9, limit: 5, scannedSeqs: [3, 7] }, 9],
  ['an empty page ends at head', { sinceSeq: 9, head: 9, limit: 5, scannedSeqs: [] }, 9],
  ['an empty workspace ends at 0', { sinceSeq: 0, head: 0, limit: 5, scannedSeqs: [] }, 0],
  ['a limit of 0 leaves the cursor where it is', { sinceSeq: 3, head: 9, limit: 0, scannedSeqs: [] }, 3],
  ['a cursor above head is answered with itself', { sinceSeq: 12, head: 9, limit: 5, scannedSeqs: [] }, 12],
];
for (const [what, scan, next] of table) {
  test(what, () => assert.equal(nextSeqAfter(scan), next));
}

test('a follower with any limits sees every change once and ends caught up', () => {
  const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 });
  fc.assert(
    fc.property(
      seqs,
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      fc.nat(5),
      (some, limits, gap) => {
        const all = some.toSorted((a, b) => a - b);
        const head = (all.at(-1) ?? 0) + gap;
        const seen: number[] = [];
        let sinceSeq = 0;
        for (let page = 0; sinceSeq < head; page += 1) {
          assert.ok(page <= all.length, 'every page moves the cursor');
          const limit = limits[page % limits.length] ?? 1;
          const scannedSeqs = all.filter((seq) => seq > sinceSeq).slice(0, limit);
          seen.push(...scannedSeqs);
          sinceSeq = nextSeqAfter({ sinceSeq, head, limit, scannedSeqs });
        }
        assert.equal(sinceSeq, head);
        assert.deepEqual(seen, all);
      },
    ),
  );
});
