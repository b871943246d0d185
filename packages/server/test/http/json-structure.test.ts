import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonDepthMax, jsonValuesMax } from '@stoa/contract';
import { createJsonStructure } from '../../src/http/request/read-json-body.ts';

/** Returns the error for a text that arrives in chunks of this many bytes, or null. */
function errorOf(text: string, chunkBytes: number): string | null {
  const structure = createJsonStructure();
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) structure.push(bytes.subarray(at, at + chunkBytes));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
const values = (count: number) => `[${Array(count).fill('0').join(',')}]`;

const cases: readonly (readonly [name: string, text: string, refusal: RegExp | null])[] = [
  ['as deep as may be', nested(jsonDepthMax), null],
  ['one level deeper', nested(jsonDepthMax + 1), /nested more than 64 levels/],
  ['objects and lists in each other', '{"a":['.repeat(33), /nested more than 64 levels/],
  ['many side by side', `[${Array(1000).fill(nested(10)).join(',')}]`, null],
  ['as many values as may be', values(jsonValuesMax), null],
  ['one value more', values(jsonValuesMax + 1), /more than 50000 values/],
  ['empty objects', `[${'{},'.repeat(30_000)}{}]`, /more than 50000 values/],
  ['brackets and commas in a string', `["${'[{,'.repeat(100_000)}"]`, null],
  ['behind an escaped quote', `["\\"${'['.repeat(100)}"]`, null],
  ['behind an escaped backslash the string has ended', `["\\\\",${nested(64)}]`, /nested/],
  ['behind three backslashes and a quote it has not', `["\\\\\\"${'['.repeat(100)}"]`, null],
  ['letters of several bytes', `["é€😀\\u005b\\"${'['.repeat(100)}"]`, null],
  ['strings that are keys', `{"[[[[":{"a,\\\\":"]"}}`, null],
];

for (const [name, text, error] of cases) {
  test(`the structure of JSON: ${name}, however it is cut up`, () => {
    for (const chunkBytes of [1, 2, 3, 7, 65_536]) {
      const said = errorOf(text, chunkBytes);
      if (error === null) assert.equal(said, null, `in chunks of ${chunkBytes}`);
      else assert.match(said ?? 'nothing', error, `in chunks of ${chunkBytes}`);
    }
  });
}

test('random JSON within the bounds is accepted, and depth is counted as the parser sees it', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const text = JSON.stringify(randomValue(seed));
    assert.equal(errorOf(text, 1 + (seed % 9)), null, text);
  }
});

/** Nested lists of strings of characters that the scan reads: the same for the same seed. */
function randomValue(seed: number): unknown {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const text = () => Array.from({ length: next(12) }, () => '[]{},"\\é\n'[next(9)]).join('');
  const value = (depth: number): unknown => {
    if (depth === 0 || next(3) === 0) return text();
    return next(2) === 0
      ? Array.from({ length: next(4) }, () => value(depth - 1))
      : Object.fromEntries(Array.from({ length: next(4) }, () => [text(), value(depth - 1)]));
  };
  return value(6);
}
