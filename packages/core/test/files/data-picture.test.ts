import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDataPicture } from '../../src/index.ts';

const mib = 1024 * 1024;
const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');

const table: readonly (readonly [address: string, kind: ReturnType<typeof judgeDataPicture>])[] = [
  ['data:image/png;base64,iVBORw0KGgo=', 'picture'],
  ['DATA:Image/JPEG;Base64,AAAA', 'picture'],
  [' data:image/gif;charset=x;base64,AAAA', 'picture'],
  ['data:image/webp;base64,AA%0AAA', 'picture'],
  ['data:image/avif;base64,AAAA', 'picture'],
  [`data:image/png;base64,${base64(mib)}`, 'picture'],
  [`data:image/png;base64,${base64(mib + 1)}`, 'too_large'],
  ['data:image/svg+xml;base64,AAAA', 'other'],
  ['data:image/svg+xml,<svg/>', 'other'],
  ['data:image/png;x=image/svg+xml,AAAA', 'other'],
  ['data:image/png,AAAA', 'other'],
  ['data:image/bmp;base64,AAAA', 'other'],
  ['data:text/html,x', 'other'],
  ['data:,', 'other'],
  ['data:image/png;base64', 'other'],
  ['data.png', null],
  ['https://example.com/data:image/png;base64,AAAA', null],
  ['', null],
];

for (const [address, kind] of table) {
  test(`judges ${address.slice(0, 40)} (${address.length} characters): ${kind}`, () => {
    assert.equal(judgeDataPicture(address), kind);
  });
}
