import type { Span } from './alignment.ts';
import { endWorth, startWorth, worth } from './match-worth.ts';
import type { SearchQuery } from './search-query.ts';
import { codePointBits } from './search-symbols.ts';

/**
 * Scores one alignment instead of the best one: every character as late as possible. Linear time, for paths and queries
 * that repeat few characters so often that the search for the best alignment would block all other work.
 *
 * @param spans a whole matching path, segment by segment; the last one is its name.
 */
export function alignLatest(query: SearchQuery, spans: readonly Span[]): number {
  const { codes, startsTerm } = query;
  let score = 0;
  let position = codes.length - 1;
  let later = 0;
  let atEnd = 0;
  for (const { symbols, start, end, at, isName } of spans.toReversed()) {
    for (let i = end - 1; i >= start && position >= 0; i -= 1) {
      const symbol = symbols[i] ?? 0;
      if ((symbol & codePointBits) !== codes[position]) continue;
      const here = at + i - start;
      score += worth.character + startWorth(symbol, startsTerm[position] === 1);
      if (position === codes.length - 1) {
        atEnd = isName ? endWorth(symbol, i === end - 1) : 0;
        if (startsTerm[position] === 1) score += atEnd;
      } else if (later === here + 1) {
        score += worth.adjacent;
        if (position === codes.length - 2 && startsTerm[position + 1] === 0) score += atEnd;
      } else if (startsTerm[position + 1] === 0) score -= worth.gap + (later - here - 1) * worth.gapCharacter;
      if (position === 0 && isName) score += worth.withinName + (i === start ? worth.nameStart : 0);
      later = here;
      position -= 1;
    }
  }
  return score;
}
