import { changedRanges } from '@stoa/core';
import { type Mark, type MarkedLine, markWords } from './mark-words.ts';

/** One line of a comparison, or how many equal ones were left out. */
export type ComparedLine =
  | { readonly kind: 'same'; readonly text: string; readonly change: null }
  | {
      readonly kind: 'added' | 'removed';
      readonly text: string;
      readonly change: number;
      /** Of a line that is another one's in the other version: what differs. Null: all of it is new, or is gone. */
      readonly marks: readonly Mark[] | null;
    }
  | { readonly kind: 'skipped'; readonly count: number };

export interface Comparison {
  readonly lines: readonly ComparedLine[];
  readonly changes: number;
}

/** Equal lines that are shown before and after a change. */
const contextLines = 3;

/** What became of the older text, by lines and the words in them: changes are counted from 0, and equal lines far from any are left out. */
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

/** The lines of a part that ends where a line ends, or where the text does. */
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
    // A single line takes no more room than the note that it was left out.
    const isShown = i < head || i >= texts.length - tail || skipped <= 1;
    if (isShown) lines.push({ kind: 'same', text, change: null });
    else if (i === head) lines.push({ kind: 'skipped', count: skipped });
  });
}
