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

/**
 * Returns the lines that show best why a text matches, at most 3, in their order. Lines with more different words and
 * phrases of the query come before others, and earlier lines before later ones.
 */
export function findWordLines(text: string, query: FindQuery): readonly MatchingLine[] {
  return readWordLines(text, query).lines;
}

/** The same, with how often the text has each of the query's words, in the order of `wordsAsked`. */
export function readWordLines(
  text: string,
  query: FindQuery,
): { readonly lines: readonly MatchingLine[]; readonly counts: readonly number[] } {
  const sought = soughtBy(query);
  const counts = sought.words.map(() => 0);
  if (sought.words.length + sought.phrases.length === 0) return { lines: [], counts };
  const best: {
    readonly line: number;
    readonly text: string;
    readonly hits: number;
    readonly ranges: Range[];
  }[] = [];
  let line = 0;
  for (const each of linesOf(text)) {
    line += 1;
    const { hits, ranges } = matchLine(each, sought, counts);
    const least = best.at(-1);
    if (hits === 0 || (best.length === matchingLinesMax && hits <= (least?.hits ?? 0))) continue;
    const at = best.findIndex((other) => other.hits < hits);
    best.splice(at === -1 ? best.length : at, 0, { line, text: each, hits, ranges });
    if (best.length > matchingLinesMax) best.pop();
  }
  const lines = best
    .toSorted((a, b) => a.line - b.line)
    .map(({ line: number, text: found, ranges }) => ({ line: number, ...cutAround(found, ranges) }));
  return { lines, counts };
}

/** Returns all words of a query: those that are sought, then the excluded ones. */
export function wordsAsked({ groups, excluded }: FindQuery): readonly AskedWord[] {
  return [...groups.flat(), ...excluded].flatMap(({ words }) => words);
}

/** The words and phrases of a query. */
interface Sought {
  readonly words: readonly AskedWord[];
  /** Whether a line is shown for the word: excluded words and those of phrases only count. */
  readonly isShown: readonly boolean[];
  readonly phrases: readonly string[];
}

type Range = readonly [number, number];

function soughtBy(query: FindQuery): Sought {
  const terms = query.groups.flat();
  const shown = terms.flatMap(({ words, phrase }) => words.map(() => phrase === null));
  const words = wordsAsked(query);
  return {
    words,
    isShown: words.map((_, at) => shown[at] === true),
    phrases: terms.flatMap(({ phrase }) => (phrase === null ? [] : [phrase])),
  };
}

function matchLine(
  line: string,
  { words, isShown, phrases }: Sought,
  counts: number[],
): { readonly hits: number; readonly ranges: Range[] } {
  const ranges: Range[] = [];
  const found = new Set<number | string>();
  if (words.length > 0) {
    visitAskedWords(line, words, (asked, start, end) => {
      counts[asked] = (counts[asked] ?? 0) + 1;
      if (isShown[asked] !== true) return;
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
