import { matchesIn } from '../text/sought-line.ts';

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

/** Returns a matching line as its readers see it: without marks of Markdown, and cut so that it shows the match. */
export function excerptOf(line: string, words: string, isMarkdown: boolean): readonly ExcerptPart[] {
  const plain = isMarkdown ? marks.reduce((text, [mark, by]) => text.replace(mark, by), line) : line;
  // The match may be in a mark or in the address of a link.
  const isShown = matchesIn(plain, words).length > 0;
  const text = (isShown ? plain : line).trim();
  const [start, end] = cutAround(text, matchesIn(text, words)[0]?.start ?? 0);
  const shown = `${start === 0 ? '' : '…'}${text.slice(start, end).trim()}${end === text.length ? '' : '…'}`;
  const parts: ExcerptPart[] = [];
  let at = 0;
  const add = (to: number, isMatch: boolean): void => {
    if (to > at) parts.push({ text: shown.slice(at, to), isMatch });
    at = to;
  };
  for (const match of matchesIn(shown, words)) {
    add(match.start, false);
    add(match.end, true);
  }
  add(shown.length, false);
  return parts;
}

/** Cuts between words where a space is near, and never within a character. */
function cutAround(text: string, at: number): readonly [number, number] {
  if (text.length <= excerptMaxUnits) return [0, text.length];
  const first = Math.max(0, Math.min(at - unitsBefore, text.length - excerptMaxUnits));
  const space = first === 0 ? 0 : text.slice(first, Math.min(at, first + 16)).search(/\s\S/) + 1;
  const last = Math.min(text.length, first + excerptMaxUnits);
  const isWithin = (unit: number): boolean => /[\udc00-\udfff]/.test(text[unit] ?? '');
  const start = first + space;
  return [isWithin(start) ? start + 1 : start, isWithin(last) ? last - 1 : last];
}
