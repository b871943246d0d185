import { foldCase, isWithinCharacter } from '../search/find-lines.ts';
import { linesOf, visitAskedWords } from './find-asked-words.ts';
import type { AskedWord, FindQuery } from './find-query.ts';

export const matchingLinesMax = 3;
/** A longer line is cut around its first match. */
export const matchingLineMaxCharacters = 300;

export interface MatchingLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Start and end of each match, in UTF-16 units of `text`; in order, without overlaps. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** The words and phrases of a query that a matching line may have. */
interface Sought {
  readonly words: readonly AskedWord[];
  readonly phrases: readonly string[];
}

/**
 * Returns the lines that show best why a text matches, at most 3, in their order. Lines with more different words and
 * phrases of the query come before others, and earlier lines before later ones.
 */
export function findWordLines(text: string, query: FindQuery): readonly MatchingLine[] {
  const sought = soughtBy(query);
  if (sought.words.length + sought.phrases.length === 0) return [];
  const best: {
    readonly line: number;
    readonly text: string;
    readonly hits: number;
    readonly ranges: Range[];
  }[] = [];
  let line = 0;
  for (const each of linesOf(text)) {
    line += 1;
    const { hits, ranges } = matchLine(each, sought);
    const least = best.at(-1);
    if (hits === 0 || (best.length === matchingLinesMax && hits <= (least?.hits ?? 0))) continue;
    const at = best.findIndex((other) => other.hits < hits);
    best.splice(at === -1 ? best.length : at, 0, { line, text: each, hits, ranges });
    if (best.length > matchingLinesMax) best.pop();
  }
  return best
    .toSorted((a, b) => a.line - b.line)
    .map(({ line: number, text: found, ranges }) => ({ line: number, ...cutAround(found, ranges) }));
}

type Range = readonly [number, number];

function soughtBy({ groups }: FindQuery): Sought {
  const terms = groups.flat();
  return {
    words: terms.filter(({ phrase }) => phrase === null).flatMap(({ words }) => words),
    phrases: terms.flatMap(({ phrase }) => (phrase === null ? [] : [phrase])),
  };
}

function matchLine(
  line: string,
  { words, phrases }: Sought,
): { readonly hits: number; readonly ranges: Range[] } {
  const ranges: Range[] = [];
  const found = new Set<number | string>();
  if (words.length > 0) {
    visitAskedWords(line, words, (asked, start, end) => {
      found.add(asked);
      ranges.push([start, end]);
    });
  }
  const folded = phrases.length === 0 ? '' : foldCase(line);
  for (const phrase of phrases) {
    for (let at = folded.indexOf(phrase); at !== -1; at = folded.indexOf(phrase, at + phrase.length)) {
      found.add(phrase);
      ranges.push([at, at + phrase.length]);
    }
  }
  return { hits: found.size, ranges: joined(ranges) };
}

/** Sorts ranges and joins those that overlap. */
function joined(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], end)];
    else merged.push([start, end]);
  }
  return merged;
}

/** Cuts a long line so that its first match is in the middle. */
function cutAround(line: string, ranges: readonly Range[]): Pick<MatchingLine, 'text' | 'ranges'> {
  if (line.length <= matchingLineMaxCharacters) return { text: line, ranges };
  const [first = [0, 0] as const] = ranges;
  const room = matchingLineMaxCharacters - 2;
  const width = Math.min(first[1] - first[0], room);
  const wanted = Math.max(0, Math.min(first[0] - Math.floor((room - width) / 2), line.length - room));
  const start = isWithinCharacter(line, wanted) ? wanted + 1 : wanted;
  const limit = Math.min(line.length, wanted + room);
  const end = isWithinCharacter(line, limit) ? limit - 1 : limit;
  const before = start === 0 ? '' : '…';
  const shift = before.length - start;
  return {
    text: `${before}${line.slice(start, end)}${end === line.length ? '' : '…'}`,
    ranges: ranges.flatMap(([from, to]): Range[] =>
      to <= start || from >= end ? [] : [[Math.max(from, start) + shift, Math.min(to, end) + shift]],
    ),
  };
}
