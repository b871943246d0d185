import {
  ChangeSet,
  type ChangeSpec,
  EditorSelection,
  EditorState,
  type Extension,
  type SelectionRange,
  type Text,
  type Transaction,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { lineEnd } from './text-documents.ts';

const byteOrderMark = '\uFEFF';

/** The caret position for `at`: before the carriage return of a line end, and after a byte order mark. */
export function caretLocation(doc: Text, at: number): number {
  if (at === 0 && doc.length > 0 && doc.sliceString(0, 1) === byteOrderMark) return 1;
  const line = doc.lineAt(at);
  // The last line has no line end, so a carriage return there is an ordinary character.
  return at === line.to && line.to < doc.length && line.text.endsWith('\r') ? at - 1 : at;
}

/** The line end to use at a position: that of its line, or of the previous line on the last one. */
export function lineEndAt(doc: Text, at: number): '\r\n' | '\n' {
  const line = doc.lineAt(at);
  const ended = line.to < doc.length ? line : line.number > 1 ? doc.line(line.number - 1) : null;
  return ended?.text.endsWith('\r') ? '\r\n' : '\n';
}

/**
 * The changes that follow a user's edit: inserted lines get the line ends of their neighbours, and a deleted line end
 * goes as a whole. Positions refer to the text after the edit.
 */
export function followingChanges({
  startState,
  changes,
  newDoc,
}: Pick<Transaction, 'startState' | 'changes' | 'newDoc'>): ChangeSpec[] {
  const { doc } = startState;
  const following: { from: number; to?: number; insert?: string }[] = [];
  changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    const wanted = lineEndAt(doc, fromA);
    if (inserted.lines > 1) {
      for (let at = fromB; at < toB; at += 1) {
        if (newDoc.sliceString(at, at + 1) !== '\n') continue;
        const hasReturn = at > fromB && newDoc.sliceString(at - 1, at) === '\r';
        if (wanted === '\r\n' && !hasReturn) following.push({ from: at, insert: '\r' });
        if (wanted === '\n' && hasReturn) following.push({ from: at - 1, to: at });
      }
    }
    if (fromA === toA || inserted.length > 0) return;
    const isHalfLeft = doc.sliceString(fromA - 1, fromA + 1) === '\r\n' && fromA > 0;
    if (isHalfLeft) following.push({ from: fromB - 1, to: fromB });
    const isHalfLeftAfter = doc.sliceString(toA - 1, toA + 1) === '\r\n';
    if (isHalfLeftAfter) following.push({ from: toB, to: toB + 1 });
  });
  return following;
}

function settledSelection(doc: Text, selection: EditorSelection): EditorSelection | null {
  const settle = (range: SelectionRange) => {
    const [anchor, head] = [caretLocation(doc, range.anchor), caretLocation(doc, range.head)];
    return anchor === range.anchor && head === range.head ? range : EditorSelection.range(anchor, head);
  };
  const ranges = selection.ranges.map(settle);
  return ranges.every((range, i) => range === selection.ranges[i])
    ? null
    : EditorSelection.create(ranges, selection.mainIndex);
}

const filter = EditorState.transactionFilter.of((transaction) => {
  const isByHand = transaction.isUserEvent('input') || transaction.isUserEvent('delete');
  const following = isByHand && transaction.docChanged ? followingChanges(transaction) : [];
  if (following.length === 0 && transaction.selection === undefined && !transaction.docChanged)
    return transaction;
  const changes = ChangeSet.of(following, transaction.newDoc.length, lineEnd);
  const doc = changes.apply(transaction.newDoc);
  const selection = settledSelection(doc, transaction.newSelection.map(changes));
  if (following.length === 0 && selection === null) return transaction;
  return [transaction, { changes, ...(selection === null ? {} : { selection }), sequential: true }];
});

class ReturnMark extends WidgetType {
  toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'editor-return';
    mark.textContent = '␍';
    return mark;
  }
}

const shownReturn = Decoration.replace({ widget: new ReturnMark() });
const hiddenReturn = Decoration.replace({});

/** Hides a carriage return in a line end; any other one is shown and can be deleted. */
function returnsIn({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const marks = [];
  for (const { from, to } of visibleRanges) {
    const text = doc.sliceString(from, to, lineEnd);
    for (let i = text.indexOf('\r'); i >= 0; i = text.indexOf('\r', i + 1)) {
      const at = from + i;
      const isEnd = doc.sliceString(at + 1, at + 2) === '\n';
      marks.push((isEnd ? hiddenReturn : shownReturn).range(at, at + 1));
    }
  }
  return Decoration.set(marks);
}

const returnMarks = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;

    constructor(view: EditorView) {
      this.marks = returnsIn(view);
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.marks = returnsIn(view);
    }
  },
  { decorations: ({ marks }) => marks },
);

/**
 * Keeps the line ends of a file: only LF separates lines, and a carriage return before it is part of the line end.
 * Edits by others, undo and redo are applied unchanged.
 */
export const lineEnds: Extension = [EditorState.lineSeparator.of(lineEnd), filter, returnMarks];
