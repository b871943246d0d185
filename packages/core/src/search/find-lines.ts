/** The request of a content search. The text is matched literally. */
export interface LineQuestion {
  readonly text: string;
  readonly matchCase: boolean;
  /** Lines shown before and after each matching line. */
  readonly context: number;
}

export interface FoundLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The range of matching lines to return, counted over several contents in order. */
export interface LineWindow {
  readonly skip: number;
  readonly take: number;
}

export const contentQueryMaxCharacters = 200;
export const contentLinesDefault = 50;
export const contentLinesMax = 200;
export const contentContextMax = 5;
/** Larger files are not searched. */
export const searchedFileMaxBytes = 8 * 1024 * 1024;
/** A longer line is cut around the match. */
export const foundLineMaxCharacters = 500;

/**
 * Folds case. The result has the same length, and no character depends on its neighbours, so a part of a text folds to
 * the same part of the folded text.
 */
export function foldCase(text: string): string {
  const special = /[\u0130\u03a3\u03c2]/.test(text)
    ? text.replace(/[\u0130\u03a3\u03c2]/g, (letter) => (letter === '\u0130' ? 'i' : '\u03c3'))
    : text;
  return special.toLowerCase();
}

/** Returns the number of lines that contain the text, and those within the window. */
export function findLines(
  text: string,
  { text: asked, matchCase, context }: LineQuestion,
  { skip, take }: LineWindow,
): { readonly total: number; readonly lines: readonly FoundLine[] } {
  const needle = matchCase ? asked : foldCase(asked);
  const lines: FoundLine[] = [];
  if (needle === '' || needle.includes('\n')) return { total: 0, lines };
  const searched = matchCase ? text : foldCase(text);
  let total = 0;
  let number = 1;
  let counted = 0;
  for (let from = 0; ; ) {
    const at = searched.indexOf(needle, from);
    if (at === -1) return { total, lines };
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
    const end = endOfLine(text, at);
    from = end.next;
    if (at + needle.length > end.text) {
      // The match extends into the carriage return, which belongs to the line end.
      continue;
    }
    total += 1;
    if (total <= skip || lines.length >= take) continue;
    for (; counted < start; number += 1) counted = text.indexOf('\n', counted) + 1;
    lines.push({
      line: number,
      text: cutAround(text.slice(start, end.text), at - start, needle.length),
      before: linesBefore(text, start, context),
      after: linesAfter(text, end.next, context),
    });
  }
}

/** Returns the end of the line without its line end, and the start of the next line. */
function endOfLine(text: string, at: number): { readonly text: number; readonly next: number } {
  const feed = text.indexOf('\n', at);
  if (feed === -1) return { text: text.length, next: text.length };
  return { text: text[feed - 1] === '\r' ? feed - 1 : feed, next: feed + 1 };
}

function linesBefore(text: string, start: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let next = start; lines.length < count && next > 0; ) {
    const begin = next === 1 ? 0 : text.lastIndexOf('\n', next - 2) + 1;
    lines.unshift(cutAround(text.slice(begin, endOfLine(text, begin).text), 0, 0));
    next = begin;
  }
  return lines;
}

function linesAfter(text: string, start: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let begin = start; lines.length < count && begin < text.length; ) {
    const end = endOfLine(text, begin);
    lines.push(cutAround(text.slice(begin, end.text), 0, 0));
    begin = end.next;
  }
  return lines;
}

/** Cuts a long line so that the match is in the middle. */
function cutAround(line: string, at: number, length: number): string {
  if (line.length <= foundLineMaxCharacters) return line;
  const margin = Math.floor((foundLineMaxCharacters - length) / 2);
  const first = Math.max(0, Math.min(at - margin, line.length - foundLineMaxCharacters));
  const start = isWithinCharacter(line, first) ? first + 1 : first;
  const last = Math.min(line.length, first + foundLineMaxCharacters);
  const end = isWithinCharacter(line, last) ? last - 1 : last;
  return `${start === 0 ? '' : '…'}${line.slice(start, end)}${end === line.length ? '' : '…'}`;
}

/** Whether this offset is within a character of two units. */
export function isWithinCharacter(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '');
}
