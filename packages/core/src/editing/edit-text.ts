// docs/decisions/0022-edits-are-rebased.md
import { type ChangedRange, changedRanges } from '../merge/changed-ranges.ts';
import { applyTextEdits, type TextEdit, type TextRange } from '../merge/text-edit.ts';
import type { ListedLine } from './closest-line.ts';
import { lastChange } from './last-change.ts';
import { lastCollision } from './last-collision.ts';
import { cutText, LineCounter, type LineRange } from './line-ranges.ts';
import { type LocatedEdit, locateEdits, type UnlocatedEdit, type WantedEdit } from './locate-edits.ts';
import { rebaseEdits } from './rebase-edits.ts';

/** Lines that other users changed, and the first text with this change: its index in the texts, from 1. */
export interface OthersLines extends LineRange {
  readonly text: number;
}

export type TextEdited =
  | {
      readonly kind: 'edited';
      readonly text: string;
      /** By wanted edit: its lines in the new text, from its first match to its last. */
      readonly lines: readonly LineRange[];
      /** The numbers of edits that matched only with white space folded. */
      readonly folded: readonly number[];
      /** Changes of other users since the text that the edits were written for; in lines of the new text. */
      readonly others: readonly OthersLines[];
    }
  | UnlocatedEdit
  | {
      readonly kind: 'text_changed';
      readonly edit: number;
      /** Index of the text that changed it, from 1. */
      readonly text: number;
      /** The present text with a line on each side. */
      readonly current: ListedLine;
    };

const othersMax = 20;
const currentTextMax = 2000;

/**
 * Makes all edits of a text, or none. A pure function.
 *
 * @param texts the text that the edits were written for, then the later versions of it, oldest first: the last is the
 * current one. Those between only show who changed what, and can be omitted.
 */
export function editText(texts: readonly [string, ...string[]], wanted: readonly WantedEdit[]): TextEdited {
  const [base] = texts;
  const current = texts.at(-1) ?? base;
  const located = locateEdits(base, wanted);
  if (located.kind !== 'located') return located;
  const transferred = rebaseEdits(base, located.edits, current);
  if (transferred.kind === 'text_changed') {
    const { edit, range } = transferred;
    const matches = located.edits.filter((match) => match.edit === edit);
    const collisions = matches.flatMap((match) => lastCollision(texts, match) ?? []);
    return {
      kind: 'text_changed',
      edit,
      // If the edit's own text is unchanged, text next to it was in the way.
      text: collisions.length === 0 ? lastChange(texts, range) : Math.max(...collisions),
      current: stretchAround(current, range),
    };
  }
  const { edits } = transferred;
  const text = applyTextEdits(current, edits);
  const changes = changedRanges(base, current);
  const counter = new LineCounter(text);
  const lines = spansOf(located.edits, wanted.length).map((span) =>
    counter.linesOf(rangeAfter(edits, rangeNow(changes, span), 'with')),
  );
  const others = changes.slice(0, othersMax).map(({ newer }) => ({
    ...counter.linesOf(rangeAfter(edits, newer, 'without')),
    text: lastChange(texts, newer),
  }));
  return { kind: 'edited', text, lines, folded: located.folded, others };
}

/** By wanted edit: from its first match to its last. */
function spansOf(located: readonly LocatedEdit[], count: number): readonly TextRange[] {
  const spans: TextRange[] = [];
  for (const { edit, start, end } of located)
    spans[edit - 1] = { start: spans[edit - 1]?.start ?? start, end };
  return spans.slice(0, count);
}

/** Maps a range of the older text to the newer one. Within a change it becomes all of the change. */
function rangeNow(changes: readonly ChangedRange[], { start, end }: TextRange): TextRange {
  let [from, to] = [start, end];
  for (const { older, newer } of changes) {
    if (older.start >= end) break;
    const shift = newer.end - older.end;
    from = older.end <= start ? start + shift : Math.min(from, newer.start);
    to = older.end <= end ? end + shift : newer.end;
  }
  return { start: from, end: to };
}

/** Maps a range to the text after the edits, with or without their insertions at its very end. */
function rangeAfter(
  edits: readonly TextEdit[],
  { start, end }: TextRange,
  ending: 'with' | 'without',
): TextRange {
  let [from, to] = [start, end];
  for (const edit of edits) {
    if (ending === 'with' ? edit.start > end : edit.start >= end) break;
    const growth = edit.text.length - (edit.end - edit.start);
    if (edit.start < start) from = edit.end <= start ? from + growth : from - (start - edit.start);
    to = edit.end <= end ? to + growth : to + growth + (edit.end - end);
  }
  return { start: Math.min(from, to), end: to };
}

/** Returns the lines of a range with one more on each side. */
function stretchAround(text: string, { start, end }: TextRange): ListedLine {
  const first = text.lastIndexOf('\n', Math.max(0, start - 2)) + 1;
  const from = start < 2 ? 0 : first;
  const last = text.indexOf('\n', end);
  const to = last === -1 ? text.length : last;
  return { line: new LineCounter(text).lineAt(from), text: cutText(text.slice(from, to), currentTextMax) };
}
