import type { ByteRange } from '../anchor.ts';
import { excerptMaxBytes } from '../anchoring-limits.ts';
import { decodeText, isInsideCharacter } from '../text/utf8.ts';
import { type MatchMode, visitMatches } from '../text/visit-matches.ts';
import { spaceEnd } from '../text/white-space.ts';

/** A possible match: its line from 1, its number for `occurrence`, and the text of the line around it. */
export interface ListedMatch {
  readonly line: number;
  readonly occurrence: number;
  readonly excerpt: string;
}

/** Counts all matches of a quote and describes those in `places`, which are in order. */
export function listMatches(
  content: Uint8Array,
  quote: Uint8Array,
  mode: MatchMode,
  ranges: readonly ByteRange[],
): { readonly occurrences: number; readonly matches: readonly ListedMatch[] } {
  const matches: ListedMatch[] = [];
  let occurrences = 0;
  let line = 1;
  let counted = 0;
  visitMatches(content, quote, mode, (start) => {
    occurrences += 1;
    const next = ranges[matches.length];
    if (next === undefined || start < next.start) return true;
    for (; counted < start; counted += 1) if (content[counted] === 0x0a) line += 1;
    matches.push({ line, occurrence: occurrences, excerpt: excerptAround(content, next) });
    return true;
  });
  return { occurrences, matches };
}

/** Returns the line on which a range's text begins, at most `excerptMaxBytes` of it. */
function excerptAround(content: Uint8Array, range: ByteRange): string {
  const room = excerptMaxBytes / 4;
  const text = spaceEnd(content, range.start, range.end);
  let start = text;
  while (start > 0 && text - start < room && content[start - 1] !== 0x0a) start -= 1;
  let end = start;
  while (end < content.length && end - start < excerptMaxBytes && content[end] !== 0x0a) end += 1;
  while (start < end && isInsideCharacter(content, start)) start += 1;
  while (end > start && isInsideCharacter(content, end)) end -= 1;
  return decodeText(content, start, end).trim();
}
