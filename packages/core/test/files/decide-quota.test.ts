import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideQuota, fileBytesLimit, growthBy, growthByDeleting } from '../../src/index.ts';

const usage = { usedBytes: 90, usedFiles: 9, historyBytes: 40 };
const limits = { storageBytes: 100, files: 10, historyBytes: null };
const unlimited = { storageBytes: null, files: null, historyBytes: null };
const added = (bytes: number, files: number) => ({ bytes, files, historyBytes: 0 });

test('an operation that just fits is accepted, and one byte or file more is not', () => {
  assert.equal(decideQuota(usage, limits, added(10, 1)), null);
  assert.deepEqual(decideQuota(usage, limits, added(11, 1)), {
    kind: 'quota_exceeded',
    usedBytes: 90,
    limitBytes: 100,
  });
  assert.deepEqual(decideQuota(usage, limits, added(1, 2)), {
    kind: 'file_count_exceeded',
    usedFiles: 9,
    limitFiles: 10,
  });
});

test('when both limits are passed the bytes are named', () => {
  assert.equal(decideQuota(usage, limits, added(11, 2))?.kind, 'quota_exceeded');
});

test('a limit of zero rejects every growth, and no limit rejects none', () => {
  const none = { usedBytes: 0, usedFiles: 0, historyBytes: 0 };
  const kindOf = (limit: Partial<typeof limits>) =>
    decideQuota(none, { ...unlimited, ...limit }, { bytes: 1, files: 1, historyBytes: 1 })?.kind;
  assert.equal(kindOf({ storageBytes: 0 }), 'quota_exceeded');
  assert.equal(kindOf({ files: 0 }), 'file_count_exceeded');
  assert.equal(
    decideQuota(none, { ...unlimited, historyBytes: 0 }, growthBy(1, { sizeBytes: 1 }))?.kind,
    'history_exceeded',
  );
  assert.equal(decideQuota(none, unlimited, { bytes: 1e15, files: 1e9, historyBytes: 1e15 }), null);
});

test('an operation without growth is accepted, even in a workspace over its limits', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), fc.nat(), (usedBytes, usedFiles, storageBytes, files) => {
      const full = [
        { usedBytes, usedFiles, historyBytes: usedBytes },
        { storageBytes, files, historyBytes: storageBytes },
      ] as const;
      assert.equal(decideQuota(...full, added(0, 0)), null);
      assert.equal(decideQuota(...full, added(-1, -1)), null);
    }),
  );
});

test('accepted growth stays within the limits, and rejected growth would exceed them', () => {
  const growth = fc.record({
    bytes: fc.integer({ min: 0, max: 50 }),
    files: fc.integer({ min: 0, max: 3 }),
    historyBytes: fc.constant(0),
  });
  const used = fc.record({ usedBytes: fc.nat(120), usedFiles: fc.nat(12), historyBytes: fc.constant(0) });
  fc.assert(
    fc.property(used, growth, (before, grown) => {
      const error = decideQuota(before, limits, grown);
      const bytesFit = grown.bytes === 0 || before.usedBytes + grown.bytes <= limits.storageBytes;
      const filesFit = grown.files === 0 || before.usedFiles + grown.files <= limits.files;
      assert.equal(error === null, bytesFit && filesFit);
    }),
  );
});

test('replaced bytes become history, added bytes do not', () => {
  assert.deepEqual(growthBy(7, null), { bytes: 7, files: 1, historyBytes: 0 });
  assert.deepEqual(growthBy(7, { sizeBytes: 10 }), { bytes: -3, files: 0, historyBytes: 10 });
});

test('history that just fits is accepted, and one byte more is not', () => {
  const bounded = { ...unlimited, historyBytes: 50 };
  assert.equal(decideQuota(usage, bounded, growthBy(1, { sizeBytes: 10 })), null);
  assert.deepEqual(decideQuota(usage, bounded, growthBy(1, { sizeBytes: 11 })), {
    kind: 'history_exceeded',
    usedBytes: 40,
    limitBytes: 50,
  });
});

test('after random writes and deletes, usage is the sum of all files, and both limits hold', () => {
  const bounded = { storageBytes: 100, files: null, historyBytes: 50 };
  const step = fc.record({ slot: fc.nat(3), size: fc.nat(60), deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const files = new Map<number, { readonly sizeBytes: number }>();
      let earlierBytes = 0;
      let usage = { usedBytes: 0, usedFiles: 0, historyBytes: 0 };
      for (const { slot, size, deletes } of steps) {
        const current = files.get(slot) ?? null;
        const isDeleted = deletes && current !== null;
        const growth = isDeleted ? growthByDeleting(current) : growthBy(size, current);
        if (!isDeleted && decideQuota(usage, bounded, growth) !== null) continue;
        if (current !== null) earlierBytes += current.sizeBytes;
        if (isDeleted) files.delete(slot);
        else files.set(slot, { sizeBytes: size });
        usage = {
          usedBytes: usage.usedBytes + growth.bytes,
          usedFiles: usage.usedFiles + growth.files,
          historyBytes: usage.historyBytes + growth.historyBytes,
        };
        const usedBytes = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        assert.deepEqual(usage, { usedBytes, usedFiles: files.size, historyBytes: earlierBytes });
        if (!isDeleted) assert.ok(usage.usedBytes + usage.historyBytes <= 150);
      }
    }),
  );
});

test("a plan's limit for one file is never above the server's", () => {
  assert.equal(fileBytesLimit({ fileBytes: null }, 100), 100);
  assert.equal(fileBytesLimit({ fileBytes: 50 }, 100), 50);
  assert.equal(fileBytesLimit({ fileBytes: 200 }, 100), 100);
});
