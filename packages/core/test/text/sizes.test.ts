import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeText } from '../../src/text/sizes.ts';

test('sizes use powers of a thousand, as limits do', () => {
  const sizes: readonly (readonly [bytes: number, text: string])[] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1450, '1.5 kB'],
    [99_949, '99.9 kB'],
    [999_960, '1 MB'],
    [100_000_000, '100 MB'],
    [2_500_000_000, '2.5 GB'],
    [5e15, '5,000 TB'],
  ];
  for (const [bytes, text] of sizes) assert.equal(sizeText(bytes), text);
});

test('a size that changes while it is looked at keeps its decimal', () => {
  const sizes = [0, 999, 1000, 9949, 99_949, 34_000_000, 100_000_000, 5e15];
  assert.deepEqual(
    sizes.map((bytes) => sizeText(bytes, { isFixed: true })),
    ['0 B', '999 B', '1.0 kB', '9.9 kB', '99.9 kB', '34.0 MB', '100 MB', '5,000 TB'],
  );
});
