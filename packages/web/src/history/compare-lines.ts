import { changedRanges } from '@stoa/core';
import { type Mark, type MarkedLine, markWords } from './mark-words.ts';

/** A line of a comparison, or the number of skipped equal lines. */
export type ComparedLine =
  | { readonly kind: 'same'; readonly text: string; readonly change: null }
  | {
      readonly kind: 'added' | 'removed';
      readonly text: string;
      readonly change: number;
      /** For a changed line: the parts that differ. Null if the whole line was added or removed. */
      readonly marks: readonly Mark[] | null;
    }
  | { readonly kind: 'skipped'; readonly count: number };

export interface Comparison {
  readonly lines: readonly ComparedLine[];
  readonly changes: number;
}

/** Equal lines shown before and after a change. */
const contextLines = 3;

/**
 * Compares two texts by lines, and changed lines by words. Changes count from 0. Skips equal lines far from a change.
 */
export function compareLines(older: string, newer: string): Comparison {
  const ranges = changedRanges(older, newer);
  const lines: ComparedLine[] = [];
  let at = 0;
  ranges.forEach((range, change) => {
    addSame(lines, linesOf(older.slice(at, range.older.start)), change > 0, true);
    const removed = linesOf(older.slice(range.older.start, range.older.end));
    const added = linesOf(newer.slice(range.newer.start, range.newer.end));
    const marked = markWords(removed, added);
    const marksOf = (all: readonly MarkedLine[], i: number) => all[i]?.marks ?? null;
    removed.forEach((text, i) => {
      lines.push({ kind: 'removed', text, change, marks: marksOf(marked.removed, i) });
    });
    added.forEach((text, i) => {
      lines.push({ kind: 'added', text, change, marks: marksOf(marked.added, i) });
    });
    at = range.older.end;
  });
  addSame(lines, linesOf(older.slice(at)), ranges.length > 0, false);
  return { lines, changes: ranges.length };
}

/** The lines of a part that ends at a line end or at the end of the text. */
function linesOf(part: string): readonly string[] {
  const lines = part.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function addSame(
  lines: ComparedLine[],
  texts: readonly string[],
  followsChange: boolean,
  precedesChange: boolean,
): void {
  const head = followsChange ? contextLines : 0;
  const tail = precedesChange ? contextLines : 0;
  const skipped = texts.length - head - tail;
  texts.forEach((text, i) => {
    // A single line takes no more space than the line that would report it as skipped.
    const isShown = i < head || i >= texts.length - tail || skipped <= 1;
    if (isShown) lines.push({ kind: 'same', text, change: null });
    else if (i === head) lines.push({ kind: 'skipped', count: skipped });
  });
}
