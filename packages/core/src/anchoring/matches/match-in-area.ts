import type { ByteRange } from '../anchor.ts';
import { areaMaxBytes, matchesExaminedMax, similarityMin } from '../anchoring-limits.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { type TokenRange, tokensTouched } from '../diff/token-range.ts';
import { foldText } from '../text/folded-text.ts';
import { similarity } from '../text/similarity.ts';
import { type MatchMode, visitMatches } from '../text/visit-matches.ts';
import { isInsideWord, wholeWords } from '../text/word-edges.ts';
import { bestFit } from './best-fit.ts';
import { type FoundMatch, foundMatch, noMatch, severalMatches } from './found-match.ts';
import type { Neighbours } from './neighbours.ts';

type Survivors = Extract<Neighbours, { kind: 'both' }>;

/** Finds the unchanged quote between its surviving neighbours, whose nearest words may have changed. */
export function findUnchangedInArea(
  tokens: TokenAlignment,
  range: ByteRange,
  between: Survivors,
  mode: MatchMode,
): FoundMatch {
  const { pinned, current, toPinned } = tokens;
  const quote = pinned.bytes.subarray(range.start, range.end);
  const matches: ByteRange[] = [];
  const visit = (start: number, end: number): boolean => {
    if (!splitsWords(pinned.bytes, range, current.bytes, { start, end })) matches.push({ start, end });
    return matches.length < matchesExaminedMax;
  };
  visitMatches(current.bytes, quote, mode, visit, between.area.start, between.area.end);
  const [only] = matches;
  if (only === undefined) return noMatch;
  if (matches.length === 1) return foundMatch(only);
  // With several matches in the area, either the diff kept one of them, or they cannot be distinguished.
  const touched = tokensTouched(pinned, range);
  const [kept, ...others] = matches.filter((match) => {
    const now = tokensTouched(current, match);
    for (let i = now.first; i < now.end; i += 1) {
      if ((toPinned[i] ?? -1) - touched.first !== i - now.first) return false;
    }
    return true;
  });
  return kept === undefined || others.length > 0 ? severalMatches : foundMatch(kept);
}

/**
 * Finds the changed text between the surviving neighbours: between the two ends of the quote according to the diff, or
 * else the best fit in the area. In either case it must be at least `similarityMin` similar.
 */
export function findChangedInArea(tokens: TokenAlignment, range: ByteRange, between: Survivors): FoundMatch {
  if (Math.max(sizeOf(between.area), sizeOf(between.pinnedArea)) > areaMaxBytes) return noMatch;
  const { pinned, current } = tokens;
  const mapped = mappedRange(tokens, tokensTouched(pinned, range));
  if (mapped !== null && similarity(pinned.bytes, range, current.bytes, mapped, similarityMin) > 0) {
    return foundMatch(mapped);
  }
  const quote = foldText(pinned.bytes, range);
  const fit = bestFit(quote, current.bytes, between.area);
  if (fit === null || fit.similarity < similarityMin) return noMatch;
  const rest = [
    { start: between.area.start, end: fit.range.start },
    { start: fit.range.end, end: between.area.end },
  ];
  for (const area of rest) {
    if ((bestFit(quote, current.bytes, area)?.similarity ?? 0) >= fit.similarity) return severalMatches;
  }
  return foundMatch(wholeWords(current.bytes, fit.range));
}

/** Starts and ends at the quote's own edge or at the word next to it, whichever the diff kept. Null if it kept none. */
function mappedRange({ pinned, current, toCurrent }: TokenAlignment, touched: TokenRange): ByteRange | null {
  const first = toCurrent[touched.first] ?? -1;
  const before = toCurrent[touched.first - 1] ?? -1;
  const last = toCurrent[touched.end - 1] ?? -1;
  const after = toCurrent[touched.end] ?? -1;
  const isWord = (token: number): boolean => (pinned.wordBytes[token] ?? 0) > 0;
  const startToken = first >= 0 && isWord(touched.first) ? first : before >= 0 ? before + 1 : first;
  const endToken = last >= 0 && isWord(touched.end - 1) ? last : after >= 0 ? after - 1 : last;
  if (startToken < 0 || endToken < startToken || touched.end === touched.first) return null;
  return { start: current.starts[startToken] ?? 0, end: current.ends[endToken] ?? 0 };
}

/** True if an end of the match is within a word but the quote's own end was not: a look-alike. */
function splitsWords(pinned: Uint8Array, range: ByteRange, bytes: Uint8Array, match: ByteRange): boolean {
  return (
    (isInsideWord(bytes, match.start) && !isInsideWord(pinned, range.start)) ||
    (isInsideWord(bytes, match.end) && !isInsideWord(pinned, range.end))
  );
}

function sizeOf(range: ByteRange): number {
  return range.end - range.start;
}
