import { isWithinCharacter } from '@stoa/core';
import { matchesIn, type TextRange } from '../text/sought-line.ts';

/** A part of an excerpt. The parts with a match are marked. */
export interface ExcerptPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Longer lines are cut around the first match. */
const excerptMaxUnits = 110;
/** Units shown before the match: few enough for a narrow screen. */
const unitsBefore = 32;

/** Patterns of Markdown and their replacement, in this order. Applied to one line. */
const marks: readonly (readonly [RegExp, string])[] = [
  // Quotes, list marks, tasks and headings.
  [/^\s*(?:>\s?)*\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:#{1,6}\s+)?/, ''],
  [/\s+#+\s*$/, ''],
  [/^\||\|\s*$/g, ''],
  [/!?\[\[([^\]]*)\]\]/g, '$1'],
  [/\[\^[^\]]*\]/g, ''],
  [/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1'],
  [/<((?:https?|mailto):[^>\s]*)>/g, '$1'],
  [/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}*\\])\*(?=\S)([^*]*\S)\*(?!\*)/gu, '$1'],
  [/(?<![\p{L}\p{N}_\\])_(?=\S)([^_]*\S)_(?![\p{L}\p{N}_])/gu, '$1'],
  [/(`+)(.+?)\1/g, '$2'],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
];

/** A line that the server found, with its matches in UTF-16 units. */
export interface FoundLine {
  readonly text: string;
  readonly ranges: readonly (readonly [number, number])[];
}

/**
 * Returns a found line as its readers see it: without marks of Markdown, and cut so that it shows the first match.
 * Without marks, the matches have other positions, so they are found again.
 */
export function excerptOf(found: FoundLine, words: string, isMarkdown: boolean): readonly ExcerptPart[] {
  const plain = isMarkdown ? marks.reduce((text, [mark, by]) => text.replace(mark, by), found.text) : '';
  const again = matchesIn(plain, words);
  // The match may be in a mark or in the address of a link.
  if (again.length > 0) return cutAround(plain, again);
  return cutAround(
    found.text,
    found.ranges.map(([start, end]) => ({ start, end })),
  );
}

/** Splits a text at its matches. */
export function partsOf(text: string, matches: readonly TextRange[]): readonly ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let at = 0;
  const add = (to: number, isMatch: boolean): void => {
    if (to > at) parts.push({ text: text.slice(at, to), isMatch });
    at = Math.max(at, to);
  };
  for (const { start, end } of matches) {
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return parts;
}

/** Cuts between words where a space is near, and never within a character. */
function cutAround(line: string, matches: readonly TextRange[]): readonly ExcerptPart[] {
  const [first, last] = [line.length - line.trimStart().length, line.trimEnd().length];
  let [start, end] = [first, last];
  if (last - first > excerptMaxUnits) {
    const at = matches[0]?.start ?? 0;
    const wanted = Math.max(first, Math.min(at - unitsBefore, last - excerptMaxUnits));
    const space = wanted === first ? 0 : line.slice(wanted, Math.min(at, wanted + 16)).search(/\s\S/) + 1;
    start = wanted + space + (isWithinCharacter(line, wanted + space) ? 1 : 0);
    end = Math.min(last, wanted + excerptMaxUnits);
    if (isWithinCharacter(line, end)) end -= 1;
    end = start + line.slice(start, end).trimEnd().length;
  }
  const shown = matches
    .filter((match) => match.end > start && match.start < end)
    .map((match) => ({
      start: Math.max(match.start, start) - start,
      end: Math.min(match.end, end) - start,
    }));
  const more = { text: '…', isMatch: false };
  return [
    ...(start === first ? [] : [more]),
    ...partsOf(line.slice(start, end), shown),
    ...(end === last ? [] : [more]),
  ];
}
