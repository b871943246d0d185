import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTraceParent } from '../../src/tracing/trace-parent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

for (const [header, isFollowed] of [
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`01-${traceId}-${spanId}-01`, true],
  [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
] as const) {
  test(`${header} names a parent`, () => {
    assert.deepEqual(parseTraceParent(header), { traceId, spanId, isFollowed });
  });
}

for (const [what, header] of [
  ['none', null],
  ['an empty one', ''],
  ['one of the invalid version', `ff-${traceId}-${spanId}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
  ['more than its version has', `00-${traceId}-${spanId}-01-x`],
  ['two of them', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['a line break', `00-${traceId}-${spanId}-01\n`],
  ['one that is too long', `01-${traceId}-${spanId}-01-${'x'.repeat(256)}`],
] as const) {
  test(`${what} names no parent`, () => assert.equal(parseTraceParent(header), null));
}
