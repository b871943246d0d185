// docs/decisions/0049-edits-are-carried-over.md
import { type ChangedRange, changedRanges } from '../merge/changed-ranges.ts';
import { applyTextEdits, type TextEdit, type TextRange } from '../merge/text-edit.ts';
import { carryEdits } from './carry-edits.ts';
import type { ListedLine } from './closest-line.ts';
import { lastChange } from './last-change.ts';
import { lastCollision } from './last-collision.ts';
import { cutText, LineCounter, type LineRange } from './line-ranges.ts';
import { type LocatedEdit, locateEdits, type UnlocatedEdit, type WantedEdit } from './locate-edits.ts';

/** Lines that others changed, and in which of the texts after the first they stand so for the first time, from 1. */
export interface OthersLines extends LineRange {
  readonly text: number;
}

export type TextEdited =
  | {
      readonly kind: 'edited';
      readonly text: string;
      /** By wanted edit: its lines in the new text, from its first place to its last one. */
      readonly lines: readonly LineRange[];
      /** The numbers of edits that were found by white space only. */
      readonly folded: readonly number[];
      /** What others changed since the text that the edits were written for; in lines of the new text. */
      readonly others: readonly OthersLines[];
    }
  | UnlocatedEdit
  | {
      readonly kind: 'text_changed';
      readonly edit: number;
      /** In which of the texts after the first it was changed, from 1. */
      readonly text: number;
      /** The stretch as it reads now, with a line on each side. */
      readonly current: ListedLine;
    };

const othersMax = 20;
const currentTextMax = 2000;

/**
 * Makes all edits of a text, or none. Pure.
 *
 * @param texts the text that the edits were written for, then what others made of it, oldest first: the last is the
 * current one. Those between only tell who changed what, and may be left out.
 */
export function editText(texts: readonly [string, ...string[]], wanted: readonly WantedEdit[]): TextEdited {
  const [base] = texts;
  const current = texts.at(-1) ?? base;
  const located = locateEdits(base, wanted);
  if (located.kind !== 'located') return located;
  const carried = carryEdits(base, located.edits, current);
  if (carried.kind === 'text_changed') {
    const { edit, range } = carried;
    const places = located.edits.filter((place) => place.edit === edit);
    const collisions = places.flatMap((place) => lastCollision(texts, place) ?? []);
    return {
      kind: 'text_changed',
      edit,
      // Where the edit's own text stands as it was, what stands beside it was in the way.
      text: collisions.length === 0 ? lastChange(texts, range) : Math.max(...collisions),
      current: stretchAround(current, range),
    };
  }
  const { edits } = carried;
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

/** By wanted edit: from its first place to its last one. */
function spansOf(located: readonly LocatedEdit[], count: number): readonly TextRange[] {
  const spans: TextRange[] = [];
  for (const { edit, start, end } of located)
    spans[edit - 1] = { start: spans[edit - 1]?.start ?? start, end };
  return spans.slice(0, count);
}

/** Where a range of the older text is in the newer one: within a change, all of the change. */
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

/** Where a range is once the edits are made, with or without what they insert at its very end. */
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

/** The lines of a range with one on each side. */
function stretchAround(text: string, { start, end }: TextRange): ListedLine {
  const first = text.lastIndexOf('\n', Math.max(0, start - 2)) + 1;
  const from = start < 2 ? 0 : first;
  const last = text.indexOf('\n', end);
  const to = last === -1 ? text.length : last;
  return { line: new LineCounter(text).lineAt(from), text: cutText(text.slice(from, to), currentTextMax) };
}
