import { endWorth, startWorth, worth } from './match-worth.ts';
import type { SearchQuery } from './search-query.ts';
import { codePointBits } from './search-symbols.ts';

/** Lower than every possible score of an alignment. */
const none = -0x2000_0000;

/** Maximum number of pairs of equal characters that are weighed for one path. Beyond it `alignLatest` takes over. */
export const pairsMax = 4096;

/**
 * The best alignments of the query with the part of a path that was read so far. It can be copied and extended, so that
 * the common folders of several files are aligned once.
 */
export interface Alignment {
  /** By number of matched characters: the best score if the next one comes after a gap. Independent of positions. */
  readonly afterGap: Int32Array;
  /** By number of matched characters: the score if the last of them is directly before `runEnd`. */
  readonly run: Int32Array;
  readonly runEnd: Int32Array;
  /** The best score of a whole match, or `none` if no match was found so far. */
  best: number;
  /** Pairs weighed so far. Beyond `pairsMax` the alignment is incomplete and must not be used. */
  pairs: number;
}

export function createAlignment(query: SearchQuery): Alignment {
  const size = query.codes.length;
  return {
    afterGap: new Int32Array(size).fill(none),
    run: new Int32Array(size),
    runEnd: new Int32Array(size).fill(-1),
    best: none,
    pairs: 0,
  };
}

export function copyAlignment(from: Alignment, to: Alignment): void {
  for (let i = 0; i < from.run.length; i += 1) {
    to.afterGap[i] = from.afterGap[i] ?? none;
    to.run[i] = from.run[i] ?? 0;
    to.runEnd[i] = from.runEnd[i] ?? -1;
  }
  to.best = from.best;
  to.pairs = from.pairs;
}

/** A part of a path: its symbols from `start` up to `end`. The first of them is symbol number `at` of the path. */
export interface Span {
  readonly symbols: Uint32Array;
  readonly start: number;
  readonly end: number;
  readonly at: number;
  /** Whether this is the last segment, the name. */
  readonly isName: boolean;
}

/**
 * Extends `alignment` by `span`. To keep an affine gap cost independent of positions, it adds the cost of all
 * characters up to here, and subtracts it at the end of the gap. So only pairs of equal characters cost time.
 */
export function extendAlignment(query: SearchQuery, alignment: Alignment, span: Span): void {
  const { codes, startsTerm, lastPosition, lastPositionAbove, positionBefore } = query;
  const { afterGap, run, runEnd } = alignment;
  const { symbols, start, end, isName } = span;
  const origin = start - span.at;
  const size = codes.length;
  let pairs = alignment.pairs;
  let best = alignment.best;
  for (let i = start; i < end && pairs <= pairsMax; i += 1) {
    const symbol = symbols[i] ?? 0;
    const code = symbol & codePointBits;
    let next = code <= 0xffff ? (lastPosition[code] ?? 0) : (lastPositionAbove.get(code) ?? 0);
    const at = i - origin;
    // From the last position in the query to the first, so that each character of the path is used at most once.
    for (; next !== 0; next = positionBefore[next - 1] ?? 0) {
      pairs += 1;
      const position = next - 1;
      const beginsTerm = startsTerm[position] === 1;
      const gain = worth.character + startWorth(symbol, beginsTerm);
      // The best score here with a gap before this character, and without.
      let gapped: number = none;
      let running: number = none;
      if (position === 0) {
        gapped = gain + (isName ? worth.withinName + (i === start ? worth.nameStart : 0) : 0);
      } else {
        const gap = afterGap[position] ?? none;
        if (gap !== none) gapped = gain + gap - (beginsTerm ? 0 : at * worth.gapCharacter);
        if (runEnd[position] === at) running = gain + (run[position] ?? 0) + worth.adjacent;
      }
      const score = Math.max(gapped, running);
      if (score === none) continue;
      if (next === size) {
        const atEnd = isName ? endWorth(symbol, i === end - 1) : 0;
        // A single character that happens to end the name earns no bonus; a run or a term does.
        best = Math.max(best, running + atEnd, beginsTerm ? gapped + atEnd : gapped);
        continue;
      }
      run[next] = score;
      runEnd[next] = at + 1;
      const free = startsTerm[next] === 1 ? score : score - worth.gap + (at + 1) * worth.gapCharacter;
      if (free > (afterGap[next] ?? none)) afterGap[next] = free;
    }
  }
  alignment.pairs = pairs;
  alignment.best = best;
}
