import { type AskedWord, foldCase, parseFindQuery, visitAskedWords } from '@stoa/core';

/** A line of a text and the words that a search found in it. */
export interface SoughtLine {
  /** From 1. */
  readonly line: number;
  /** Words and phrases of a query. Empty for the whole line. */
  readonly words: string;
}

/** In UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The matches in one line, and the number of different words and phrases among them. */
interface LineMatches {
  readonly hits: number;
  readonly ranges: readonly TextRange[];
}

/**
 * Returns the matches in the line. If it has none because the text has changed, takes the nearest line with all words,
 * else the nearest with one of them. Empty if no line has any.
 */
export function findSought(text: string, { line, words }: SoughtLine): readonly TextRange[] {
  const lines = text.split('\n');
  const matchesAt = (at: number, ranges: readonly TextRange[]): readonly TextRange[] => {
    const before = lines.slice(0, at).reduce((units, each) => units + each.length + 1, 0);
    return ranges.map(({ start, end }) => ({ start: before + start, end: before + end }));
  };
  if (words.trim() === '') return matchesAt(line - 1, wholeLine(lines[line - 1] ?? ''));
  const wanted = Math.min(line, lines.length) - 1;
  for (const { count, find } of findersOf(words)) {
    const there = find(lines[wanted] ?? '');
    if (there.hits > 0) return matchesAt(wanted, there.ranges);
    for (const least of new Set([count, 1])) {
      for (let distance = 1; distance < lines.length; distance += 1) {
        for (const at of [wanted + distance, wanted - distance]) {
          const { hits, ranges } = find(lines[at] ?? '');
          if (hits >= least) return matchesAt(at, ranges);
        }
      }
    }
  }
  return [];
}

/** Returns the matches of a search in one line: each of its words and phrases, in order and without overlaps. */
export function matchesIn(line: string, words: string): readonly TextRange[] {
  for (const { find } of findersOf(words)) {
    const { hits, ranges } = find(line);
    if (hits > 0) return ranges;
  }
  return [];
}

interface Finder {
  /** The number of words and phrases that it looks for. */
  readonly count: number;
  find(line: string): LineMatches;
}

/** Finds the words of a query as the server does, or else its whole text: an address may have any text. */
function findersOf(query: string): readonly Finder[] {
  const literal = finderOf([], query.trim() === '' ? [] : [fold(query.trim())]);
  try {
    const terms = parseFindQuery(query).groups.flat();
    const words = terms.flatMap((term) => (term.phrase === null ? term.words : []));
    const phrases = terms.flatMap(({ phrase }) => (phrase === null ? [] : [fold(phrase)]));
    return [finderOf(words, phrases), literal];
  } catch {
    return [literal];
  }
}

function finderOf(words: readonly AskedWord[], phrases: readonly string[]): Finder {
  const find = (line: string): LineMatches => {
    const found = new Set<number | string>();
    const ranges: TextRange[] = [];
    if (words.length > 0) {
      visitAskedWords(line, words, (asked, start, end) => {
        found.add(asked);
        ranges.push({ start, end });
      });
    }
    const folded = phrases.length === 0 ? '' : fold(line);
    for (const phrase of phrases) {
      for (let at = folded.indexOf(phrase); at !== -1; at = folded.indexOf(phrase, at + phrase.length)) {
        found.add(phrase);
        ranges.push({ start: at, end: at + phrase.length });
      }
    }
    return { hits: found.size, ranges: joined(ranges) };
  };
  return { count: words.length + phrases.length, find };
}

/** Folds case and the diacritics of Latin letters. The result has the same length. */
function fold(text: string): string {
  return foldCase(text).replace(
    /[\u00e0-\u024f\u1e00-\u1eff]/g,
    (letter) => letter.normalize('NFD')[0] ?? letter,
  );
}

function wholeLine(line: string): readonly TextRange[] {
  const text = line.trim();
  const start = line.indexOf(text);
  return text === '' ? [] : [{ start, end: start + text.length }];
}

/** Sorts ranges and joins those that overlap. */
function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const merged: TextRange[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) merged.push({ start, end });
    else if (end > last.end) merged[merged.length - 1] = { start: last.start, end };
  }
  return merged;
}
