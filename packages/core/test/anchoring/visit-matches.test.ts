import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { visitMatches } from '../../src/anchoring/text/visit-matches.ts';
import { bytesOf } from './score.ts';

function matches(
  content: string,
  needle: string,
  mode: 'exact' | 'folded',
): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  visitMatches(bytesOf(content), bytesOf(needle), mode, (start, end) => found.push([start, end]) > 0);
  return found;
}

const repetitive = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '🎉', ' ', '\n', '\r\n', '\u00a0'),
  maxLength: 40,
});
const short = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '🎉', ' ', '\n', '\u00a0'),
  minLength: 1,
  maxLength: 5,
});

test('exact matches equal those of a plain search in bytes, including overlaps', () => {
  fc.assert(
    fc.property(repetitive, short, (content, needle) => {
      const expected: [number, number][] = [];
      for (let at = content.indexOf(needle); at !== -1; at = content.indexOf(needle, at + 1)) {
        const start = bytesOf(content.slice(0, at)).length;
        expected.push([start, start + bytesOf(needle).length]);
      }
      assert.deepEqual(matches(content, needle, 'exact'), expected);
    }),
  );
});

test('folded matches are those of a search that takes every run of white space for one space', () => {
  fc.assert(
    fc.property(repetitive, short, (content, needle) => {
      const fold = (text: string) => text.replace(/\s+/g, ' ');
      const found = matches(content, needle, 'folded');
      const folded = fold(content);
      let count = 0;
      for (let at = folded.indexOf(fold(needle)); at !== -1; at = folded.indexOf(fold(needle), at + 1))
        count += 1;
      assert.equal(found.length, count);
      for (const [start, end] of found) {
        assert.equal(fold(new TextDecoder().decode(bytesOf(content).subarray(start, end))), fold(needle));
      }
    }),
  );
});

test('a text that nearly matches everywhere costs no more reads than one that matches nowhere', () => {
  const reads = (content: Uint8Array, needle: Uint8Array, mode: 'exact' | 'folded'): number => {
    let count = 0;
    const counting = new Proxy(content, {
      get: (target, property) => {
        count += 1;
        return Reflect.get(target, property, target);
      },
    });
    visitMatches(counting, needle, mode, () => true, 0, content.length);
    return count;
  };
  for (const mode of ['exact', 'folded'] as const) {
    const size = 20_000;
    const alike = reads(bytesOf('a'.repeat(size)), bytesOf(`${'a'.repeat(2000)}b`), mode);
    const spaces = reads(bytesOf(' \n'.repeat(size / 2)), bytesOf(`${' '.repeat(2000)}b`), mode);
    assert.ok(alike <= 2 * size, `${alike} reads`);
    assert.ok(spaces <= 8 * size, `${spaces} reads`);
  }
});
