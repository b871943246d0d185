import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import { type Pattern, PatternSet, type PatternStep } from '../../src/patterns/pattern-set.ts';

const seed = seedFrom('STOA_PATTERN_SEED');
const { below, pick } = seededRandom(seed);

const slash: PatternStep = { kind: 'symbol', symbol: 0x2f };
const steps: readonly (readonly PatternStep[])[] = [
  [{ kind: 'symbol', symbol: 0x61 }],
  [{ kind: 'symbol', symbol: 0x62 }],
  [slash],
  [{ kind: 'one' }],
  [{ kind: 'of', has: (symbol) => symbol === 0x62 || symbol === 0x1f600 }],
  [
    { kind: 'many', crossesSlash: false },
    { kind: 'symbol', symbol: 0x61 },
  ],
  [{ kind: 'many', crossesSlash: true }, { kind: 'one' }],
  [{ kind: 'folders' }, { kind: 'many', crossesSlash: true }, slash, { kind: 'one' }],
];

/** Reference by brute force: slow but simple. */
function matches(pattern: readonly PatternStep[], text: readonly number[]): boolean {
  const [step, ...rest] = pattern;
  const [symbol, ...others] = text;
  if (step === undefined) return text.length === 0;
  switch (step.kind) {
    case 'folders':
      return matches(rest.slice(2), text) || matches(rest, text);
    case 'many':
      return (
        matches(rest, text) ||
        (symbol !== undefined && (step.crossesSlash || symbol !== 0x2f) && matches(pattern, others))
      );
    case 'symbol':
      return symbol === step.symbol && matches(rest, others);
    case 'one':
      return symbol !== undefined && symbol !== 0x2f && matches(rest, others);
    case 'of':
      return symbol !== undefined && step.has(symbol) && matches(rest, others);
  }
}

test('a set of patterns matches what each matches alone, also across words of its bit set', () => {
  for (let run = 0; run < scaled(300); run += 1) {
    const patterns: Pattern[] = Array.from({ length: 1 + below(30) }, () => ({
      steps: Array.from({ length: below(7) }, () => pick(steps)).flat(),
      isOfNames: below(2) === 0,
    }));
    const set = new PatternSet(patterns);
    for (let tried = 0; tried < 10; tried += 1) {
      const path = Array.from({ length: 1 + below(4) }, () =>
        Array.from({ length: 1 + below(4) }, () => pick(['a', 'b', 'c', '😀'])).join(''),
      ).join('/');
      set.read(path, (end) => {
        const read = path.slice(0, end);
        const expected = patterns.findLastIndex(({ steps, isOfNames }) => {
          const text = isOfNames ? read.slice(read.lastIndexOf('/') + 1) : read;
          return matches(
            steps,
            Array.from(text, (each) => each.codePointAt(0) ?? 0),
          );
        });
        assert.equal(
          set.lastMatched(() => true),
          expected,
          `${read} (STOA_PATTERN_SEED=${seed})`,
        );
        return false;
      });
    }
  }
});
