import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { headAfterRestore, nextSeqAfter, restoreJumpSeqs } from '../src/index.ts';

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

test('two restores at different seconds never use the same feed numbers', () => {
  const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999 }),
      moment,
      fc.nat(10 * 365 * 86_400_000),
      fc.nat(999_999),
      fc.boolean(),
      (made, first, wait, written, isOfFirst) => {
        const lived = headAfterRestore(made, first) + written;
        // Either the same backup again, or a backup of the restored server.
        const base = isOfFirst ? lived : made;
        const second = headAfterRestore(base, first + 2000 + wait);
        assert.ok(second > lived, `${second} after ${lived}`);
        assert.equal((second - base) % restoreJumpSeqs, 0);
        assert.ok(Number.isSafeInteger(second));
      },
    ),
  );
});

test('a clock in the past causes one jump, and one far ahead keeps feed numbers within safe integers', () => {
  assert.ok(Number.isSafeInteger(headAfterRestore(headAfterRestore(7, 8.64e15), 8.64e15)));
  assert.equal(headAfterRestore(7, 0), 7 + restoreJumpSeqs);
  const head = headAfterRestore(7, Date.UTC(2030, 0, 1));
  assert.equal(headAfterRestore(head, Date.UTC(2030, 0, 1)), head + restoreJumpSeqs);
});
