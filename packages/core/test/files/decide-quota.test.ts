import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideQuota, fileBytesLimit } from '../../src/index.ts';

const usage = { usedBytes: 90, usedFiles: 9 };
const limits = { storageBytes: 100, files: 10 };

test('an operation that just fits is accepted, and one byte or file more is not', () => {
  assert.equal(decideQuota(usage, limits, { bytes: 10, files: 1 }), null);
  assert.deepEqual(decideQuota(usage, limits, { bytes: 11, files: 1 }), {
    kind: 'quota_exceeded',
    usedBytes: 90,
    limitBytes: 100,
  });
  assert.deepEqual(decideQuota(usage, limits, { bytes: 1, files: 2 }), {
    kind: 'file_count_exceeded',
    usedFiles: 9,
    limitFiles: 10,
  });
});

test('when both limits are passed the bytes are named', () => {
  assert.equal(decideQuota(usage, limits, { bytes: 11, files: 2 })?.kind, 'quota_exceeded');
});

test('a limit of nothing refuses every growth, and none refuses no growth', () => {
  const none = { usedBytes: 0, usedFiles: 0 };
  assert.equal(
    decideQuota(none, { storageBytes: 0, files: null }, { bytes: 1, files: 1 })?.kind,
    'quota_exceeded',
  );
  assert.equal(
    decideQuota(none, { storageBytes: null, files: 0 }, { bytes: 1, files: 1 })?.kind,
    'file_count_exceeded',
  );
  assert.equal(decideQuota(none, { storageBytes: null, files: null }, { bytes: 1e15, files: 1e9 }), null);
});

test('what does not grow is accepted, also in a workspace over its limits', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), fc.nat(), (usedBytes, usedFiles, storageBytes, files) => {
      const full = [
        { usedBytes, usedFiles },
        { storageBytes, files },
      ] as const;
      assert.equal(decideQuota(...full, { bytes: 0, files: 0 }), null);
      assert.equal(decideQuota(...full, { bytes: -1, files: -1 }), null);
    }),
  );
});

test('what is accepted and grows stays within the limits; what is refused would not have', () => {
  const growth = fc.record({ bytes: fc.integer({ min: 0, max: 50 }), files: fc.integer({ min: 0, max: 3 }) });
  const used = fc.record({ usedBytes: fc.nat(120), usedFiles: fc.nat(12) });
  fc.assert(
    fc.property(used, growth, (before, grown) => {
      const refusal = decideQuota(before, limits, grown);
      const bytesFit = grown.bytes === 0 || before.usedBytes + grown.bytes <= limits.storageBytes;
      const filesFit = grown.files === 0 || before.usedFiles + grown.files <= limits.files;
      assert.equal(refusal === null, bytesFit && filesFit);
    }),
  );
});

test("a plan's limit for one file is never above the server's", () => {
  assert.equal(fileBytesLimit({ fileBytes: null }, 100), 100);
  assert.equal(fileBytesLimit({ fileBytes: 50 }, 100), 50);
  assert.equal(fileBytesLimit({ fileBytes: 200 }, 100), 100);
});
