import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { fileNameOf } from '../../src/index.ts';
import { alignLatest } from '../../src/search/align-latest.ts';
import type { Span } from '../../src/search/alignment.ts';
import { endWorth, startWorth, worth } from '../../src/search/match-worth.ts';
import { parseSearchQuery } from '../../src/search/search-query.ts';
import { codePointBits, pushSymbols } from '../../src/search/search-symbols.ts';
import { path, query } from './support/arbitrary-paths.ts';
import { indexOf, search } from './support/run-search.ts';

/** Computes the score of one set of positions in a path from the definition of each part. */
function scoreOf(
  symbols: readonly number[],
  nameStart: number,
  positions: readonly number[],
  terms: Uint8Array,
) {
  let score = 0;
  positions.forEach((at, k) => {
    const symbol = symbols[at] ?? 0;
    const before = positions[k - 1];
    score += worth.character + startWorth(symbol, terms[k] === 1);
    if (before === at - 1) score += worth.adjacent;
    else if (before !== undefined && terms[k] === 0)
      score -= worth.gap + (at - before - 1) * worth.gapCharacter;
  });
  const first = positions[0] ?? 0;
  const last = positions.at(-1) ?? 0;
  if (first >= nameStart) score += worth.withinName;
  if (first === nameStart) score += worth.nameStart;
  const inChunk = positions.length === 1 || positions.at(-2) === last - 1 || terms.at(-1) === 1;
  if (last >= nameStart && inChunk) score += endWorth(symbols[last] ?? 0, last === symbols.length - 1);
  return score;
}

function* choices(
  symbols: readonly number[],
  codes: Uint32Array,
  from = 0,
  taken: number[] = [],
): Generator<number[]> {
  if (taken.length === codes.length) yield taken;
  else {
    for (let at = from; at < symbols.length; at += 1) {
      if (((symbols[at] ?? 0) & codePointBits) !== codes[taken.length]) continue;
      yield* choices(symbols, codes, at + 1, [...taken, at]);
    }
  }
}

test('the score is that of the best match', () => {
  fc.assert(
    fc.property(path, query, (file, wanted) => {
      const { codes, startsTerm } = parseSearchQuery(wanted);
      const symbols: number[] = [];
      pushSymbols(file, symbols);
      const name: number[] = [];
      pushSymbols(fileNameOf(file), name);
      const found = search(indexOf([file]), wanted).results.find((result) => result.path === file);
      const scores = [...choices(symbols, codes)].map((positions) =>
        scoreOf(symbols, symbols.length - name.length, positions, startsTerm),
      );
      const expected =
        scores.length === 0 || fileNameOf(file) === '.keep' ? undefined : Math.max(1, ...scores);
      assert.equal(found?.score, expected);
    }),
    { numRuns: scaled(5000) },
  );
});

test('with too many possible matches, the score is that of the latest positions', () => {
  fc.assert(
    fc.property(path, query, (file, wanted) => {
      const parsed = parseSearchQuery(wanted);
      const symbols: number[] = [];
      const spans: Span[] = [];
      const segments = file.split('/');
      for (const [i, segment] of segments.entries()) {
        const at = symbols.length;
        const isName = i === segments.length - 1;
        pushSymbols(isName ? segment : `${segment}/`, symbols);
        spans.push({ symbols: Uint32Array.from(symbols), start: at, end: symbols.length, at, isName });
      }
      const latest: number[] = [];
      let last = symbols.length - 1;
      for (const code of parsed.codes.toReversed()) {
        while (last >= 0 && ((symbols[last] ?? 0) & codePointBits) !== code) last -= 1;
        latest.unshift(last);
        last -= 1;
      }
      fc.pre(latest.every((at) => at >= 0));
      const expected = scoreOf(symbols, spans.at(-1)?.start ?? 0, latest, parsed.startsTerm);
      assert.equal(alignLatest(parsed, spans), expected);
    }),
    { numRuns: scaled(2000) },
  );
});
