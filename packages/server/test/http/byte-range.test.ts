import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ByteRange, WorkspaceError } from '@stoa/core';
import { parseByteRange } from '../../src/http/request/headers.ts';

const file = { version: 7, sizeBytes: 100 };
const rangeOf = (range: string | null, ifRange: string | null = null) =>
  parseByteRange({ range, ifRange }, file);

describe('a range of a file of 100 bytes', () => {
  const cases: readonly [range: string | null, expected: ByteRange | null][] = [
    [null, null],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=10-19', { start: 10, end: 20 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-1000', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-1000', { start: 0, end: 100 }],
    ['BYTES=0-1', { start: 0, end: 2 }],
    ['bytes=0-1,5-6', null],
    ['bytes=5-2', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['lines=1-2', null],
  ];
  for (const [range, expected] of cases) {
    it(`${range ?? '(none)'} is ${expected === null ? 'the whole file' : `${expected.start} to ${expected.end}`}`, () => {
      assert.deepEqual(rangeOf(range), expected);
    });
  }

  for (const range of ['bytes=100-', 'bytes=100-200', 'bytes=-0']) {
    it(`${range} is out of range and is rejected with the size`, () => {
      assert.throws(
        () => rangeOf(range),
        (error) =>
          error instanceof WorkspaceError &&
          error.code === 'range_not_satisfiable' &&
          error.details.sizeBytes === 100,
      );
    });
  }

  it('is used when If-Range names the current version', () => {
    assert.deepEqual(rangeOf('bytes=0-1', '"7"'), { start: 0, end: 2 });
  });

  for (const ifRange of ['"6"', 'W/"7"', 'Wed, 21 Oct 2026 07:28:00 GMT', 'nonsense']) {
    it(`is replaced by the whole file when If-Range is ${ifRange}`, () => {
      assert.equal(rangeOf('bytes=0-1', ifRange), null);
    });
  }
});
