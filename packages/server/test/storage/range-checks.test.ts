import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { checkedBytes, checkedRange, createRangeSums } from '../../src/storage/blobs/s3/range-checks.ts';
import { patterned } from './support/blob-contents.ts';

const mebibyte = 1024 * 1024;
const bytes = patterned(5 * mebibyte + 12_345);

function checksOf(content: Uint8Array, chunkBytes: number): string {
  const sums = createRangeSums();
  for (let at = 0; at < content.byteLength; at += chunkBytes)
    sums.update(content.subarray(at, at + chunkBytes));
  return sums.checks();
}

function* chunks(content: Uint8Array, start: number, end: number, chunkBytes: number) {
  for (let at = start; at < end; at += chunkBytes) yield content.slice(at, Math.min(end, at + chunkBytes));
}

const read = async (
  content: Uint8Array,
  start: number,
  end: number,
  checks: string | undefined,
  by: number,
) => {
  const range = { start, end, sizeBytes: content.byteLength };
  const wider = checkedRange(range);
  async function* responded() {
    yield* chunks(content, wider.start, wider.end, by);
  }
  return Buffer.concat(await Array.fromAsync(checkedBytes(responded(), range, checks)));
};

const someLocation = fc.oneof(
  fc.nat({ max: bytes.byteLength - 1 }),
  fc.constantFrom(0, mebibyte - 1, mebibyte, 5 * mebibyte - 1, 5 * mebibyte, bytes.byteLength - 1),
);
const someChunkBytes = fc.constantFrom(100_000, 262_144, mebibyte, mebibyte + 1, 3_000_000);

describe('checksums of ranges of an object', () => {
  it('a range is returned unchanged, however it arrives', async () => {
    const property = fc.asyncProperty(someLocation, someLocation, someChunkBytes, async (one, other, by) => {
      const [start, end] = [Math.min(one, other), Math.max(one, other) + 1];
      const part = await read(bytes, start, end, checksOf(bytes, by), by);
      assert.ok(part.equals(bytes.subarray(start, end)));
    });
    await fc.assert(property, { numRuns: scaled(60) });
  });

  it('a range never completes when a byte in or around it is wrong', async () => {
    const checks = checksOf(bytes, 100_000);
    const property = fc.asyncProperty(
      someLocation,
      someLocation,
      fc.nat(),
      someChunkBytes,
      async (a, b, c, by) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b) + 1];
        const wider = checkedRange({ start, end, sizeBytes: bytes.byteLength });
        const changed = bytes.slice();
        const at = wider.start + (c % (wider.end - wider.start));
        changed[at] = (changed[at] ?? 0) ^ 1;
        await assert.rejects(read(changed, start, end, checks, by), { code: 'stored_bytes_missing' });
      },
    );
    await fc.assert(property, { numRuns: scaled(60) });
  });

  it('an object without checksums is passed on unchanged', async () => {
    assert.ok((await read(bytes, 5, 7, undefined, 1000)).equals(bytes.subarray(5, 7)));
  });

  it('truncated checksums count as wrong', async () => {
    const checks = checksOf(bytes, 100_000).slice(0, 8);
    await assert.rejects(read(bytes, bytes.byteLength - 1, bytes.byteLength, checks, mebibyte), {
      code: 'stored_bytes_missing',
    });
  });

  it('a large object has one checksum for several mebibytes, and all of them fit next to it', async () => {
    const sizeBytes = 301 * mebibyte + 7;
    const sums = createRangeSums();
    for (let at = 0; at < sizeBytes; at += mebibyte)
      sums.update(bytes.subarray(0, Math.min(mebibyte, sizeBytes - at)));
    const checks = sums.checks();
    assert.ok(checks.length <= 1600, `${checks.length} characters`);
    const range = { start: sizeBytes - 10, end: sizeBytes, sizeBytes };
    const wider = checkedRange(range);
    assert.deepEqual(wider, { start: 300 * mebibyte, end: sizeBytes, sizeBytes });
    const tail = Buffer.concat([bytes.subarray(0, mebibyte), bytes.subarray(0, 7)]);
    const readTail = (content: Uint8Array) =>
      Array.fromAsync(
        checkedBytes(
          (async function* () {
            yield content;
          })(),
          range,
          checks,
        ),
      );
    assert.deepEqual(Buffer.concat(await readTail(tail)), tail.subarray(-10));
    const changed = Buffer.from(tail);
    changed[0] = 1;
    await assert.rejects(readTail(changed), { code: 'stored_bytes_missing' });
  });
});
