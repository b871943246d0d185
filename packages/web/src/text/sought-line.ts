import { foldCase } from '@stoa/core';

/** A line of a text and the words that a search found in it. */
export interface SoughtLine {
  /** From 1. */
  readonly line: number;
  /** Empty for the whole line. */
  readonly words: string;
}

/** In UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the matches in the line or, if the text has changed, in the nearest line that has the words. Words next to
 * each other take precedence over words anywhere in a line. Empty if no line has them.
 */
export function findSought(text: string, { line, words }: SoughtLine): readonly TextRange[] {
  const lines = fold(text).split('\n');
  const matchesAt = (at: number, find: (line: string) => readonly TextRange[]): readonly TextRange[] => {
    const before = lines.slice(0, at).reduce((units, each) => units + each.length + 1, 0);
    return find(lines[at] ?? '').map(({ start, end }) => ({ start: before + start, end: before + end }));
  };
  const needle = fold(words.trim());
  if (needle === '') return matchesAt(line - 1, wholeLine);
  const wanted = Math.min(line, lines.length) - 1;
  for (const find of [phrasesIn, wordsIn]) {
    for (let distance = 0; distance < lines.length; distance += 1) {
      const near = [wanted + distance, wanted - distance];
      const at = near.find((each) => find(lines[each] ?? '', needle).length > 0);
      if (at !== undefined) return matchesAt(at, (found) => find(found, needle));
    }
  }
  return [];
}

/** Returns the matches of a search in one line: of all words next to each other, otherwise of each word. */
export function matchesIn(line: string, words: string): readonly TextRange[] {
  const [folded, needle] = [fold(line), fold(words.trim())];
  const phrases = phrasesIn(folded, needle);
  return phrases.length > 0 ? phrases : wordsIn(folded, needle);
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

function phrasesIn(line: string, needle: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  if (needle === '') return ranges;
  for (let at = line.indexOf(needle); at !== -1; at = line.indexOf(needle, at + needle.length))
    ranges.push({ start: at, end: at + needle.length });
  return ranges;
}

/** Empty unless the line has all words. A word counts within another one only if it begins none. */
function wordsIn(line: string, needle: string): readonly TextRange[] {
  const found = [...new Set(needle.split(/\s+/))].map((word) => {
    const anywhere = phrasesIn(line, word);
    const begun = anywhere.filter(
      ({ start }) => !/[\p{L}\p{N}]$/u.test(line.slice(Math.max(0, start - 2), start)),
    );
    return begun.length > 0 ? begun : anywhere;
  });
  if (found.some((ranges) => ranges.length === 0)) return [];
  let end = 0;
  return found
    .flat()
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((range) => {
      const isFree = range.start >= end;
      if (isFree) end = range.end;
      return isFree;
    });
}
