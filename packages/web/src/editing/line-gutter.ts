import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';
import { alongsideLines } from './create-editor.ts';
import { byEngine, changedBy } from './foreign-edits.ts';

/** The gutter text next to the first of several lines with equal values. */
export interface LineNote {
  readonly kind: string;
  /** Shown if there is no room for the rest. */
  readonly sign: string;
  readonly name: string;
  readonly facts: string;
  /** The full text, for the tooltip. */
  readonly title: string;
}

/** Consecutive lines with equal values. Lines count from 1; both ends are included. */
export interface LikeLines<Value> {
  readonly from: number;
  readonly to: number;
  readonly value: Value;
}

export interface LineGutterOptions<Value> {
  /** The value of lines typed here. */
  readonly typed: Value;
  /** The value of lines from others. */
  arrived(who: string | null): Value;
  isSame(one: Value, other: Value): boolean;
  noteOf(value: Value): LineNote;
  /** Called when the text, the caret or the gutter has changed. */
  changed(change: { readonly text: boolean; readonly caret: boolean }): void;
}

/** A gutter with a value per line. Values move with their lines through all edits. */
export interface LineGutter<Value> {
  /** Adds the gutter to an editor. */
  readonly show: (view: EditorView) => void;
  readonly get: (state: EditorState) => readonly Value[] | null;
  readonly set: (view: EditorView, values: readonly Value[]) => void;
  /** The lines with equal values around the caret. */
  readonly here: (state: EditorState) => LikeLines<Value> | null;
}

export function createLineGutter<Value>(options: LineGutterOptions<Value>): LineGutter<Value> {
  const { isSame, changed } = options;
  const valuesAre = StateEffect.define<readonly Value[]>();
  const field = StateField.define<readonly Value[] | null>({
    create: () => null,
    update: (before, transaction) => {
      for (const effect of transaction.effects) if (effect.is(valuesAre)) return effect.value;
      if (before === null || !transaction.docChanged) return before;
      const { startState, newDoc, changes } = transaction;
      return shiftLines(before, changes, startState.doc, newDoc, newcomer(transaction, options));
    },
  });
  const alongside = gutter({
    class: 'line-gutter',
    lineMarker: (view, { from }) => {
      const values = view.state.field(field);
      const line = view.state.doc.lineAt(from).number;
      const value = values?.[line - 1];
      if (values === null || value === undefined) return null;
      return new LineMarker(options.noteOf(value), isNamedAt(values, line, isSame));
    },
    lineMarkerChange: ({ state, startState }) => state.field(field) !== startState.field(field, false),
    domEventHandlers: {
      // A press in the gutter moves the caret to that line.
      mousedown: (view, { from }, event) => {
        event.preventDefault();
        view.dispatch({ selection: { anchor: from } });
        view.focus();
        return true;
      },
    },
  });
  const telling = EditorView.updateListener.of(({ state, startState, docChanged, selectionSet }) => {
    if (docChanged || selectionSet || state.field(field) !== startState.field(field, false))
      changed({ text: docChanged, caret: selectionSet && !docChanged });
  });
  const extension: Extension = [field, alongside, look, telling];
  return {
    show: (view) => view.dispatch({ effects: alongsideLines.reconfigure(extension) }),
    get: (state) => state.field(field, false) ?? null,
    set: (view, values) => view.dispatch({ effects: valuesAre.of(values) }),
    here: (state) => {
      const values = state.field(field, false) ?? [];
      const line = state.doc.lineAt(state.selection.main.head).number;
      const value = values[line - 1];
      if (value === undefined) return null;
      const isAlike = (other: number) => {
        const there = values[other - 1];
        return there !== undefined && isSame(there, value);
      };
      let [from, to] = [line, line];
      while (isAlike(from - 1)) from -= 1;
      while (isAlike(to + 1)) to += 1;
      return { from, to, value };
    },
  };
}

function newcomer<Value>(transaction: Transaction, { typed, arrived }: LineGutterOptions<Value>): Value {
  return transaction.annotation(byEngine) === true
    ? arrived(transaction.annotation(changedBy) ?? null)
    : typed;
}

/** The values for the lines of `after`: `newer` for changed and added lines, the previous values for the others. */
export function shiftLines<Value>(
  values: readonly Value[],
  changes: ChangeDesc & Pick<Transaction['changes'], 'iterChanges'>,
  before: Text,
  after: Text,
  newer: Value,
): readonly Value[] {
  const transferred: Value[] = [];
  let line = 0;
  changes.iterChanges((fromA, toA, fromB, toB) => {
    const [first, last] = [before.lineAt(fromA), before.lineAt(toA)];
    const [start, end] = [after.lineAt(fromB), after.lineAt(toB)];
    // Whole lines inserted or removed before or after a line leave its value.
    const keepsLast = fromA === first.from && toA === last.from && fromB === start.from && toB === end.from;
    const keepsFirst =
      !keepsLast && fromA === first.to && toA === last.to && fromB === start.to && toB === end.to;
    const removedFrom = keepsFirst ? first.number : first.number - 1;
    const removedTo = keepsLast ? last.number - 1 : last.number;
    const added = end.number - start.number + (keepsFirst || keepsLast ? 0 : 1);
    // Two changes may be in one line.
    const joins = removedFrom < line;
    for (; line < removedFrom; line += 1) transferred.push(values[line] ?? newer);
    for (let left = joins ? added - 1 : added; left > 0; left -= 1) transferred.push(newer);
    line = Math.max(line, removedTo);
  });
  for (; line < values.length; line += 1) transferred.push(values[line] ?? newer);
  return transferred;
}

/** Repeats the name in long stretches, so that it stays visible. */
const repeatedEvery = 20;
const repeatedAfter = 8;

function isNamedAt<Value>(
  values: readonly Value[],
  line: number,
  isSame: (one: Value, other: Value) => boolean,
): boolean {
  const value = values[line - 1];
  const isAlike = (other: number) => {
    const there = values[other - 1];
    return value !== undefined && there !== undefined && isSame(value, there);
  };
  if (!isAlike(line - 1)) return true;
  if (line % repeatedEvery !== 1) return false;
  for (let back = 2; back <= repeatedAfter; back += 1) if (!isAlike(line - back)) return false;
  return true;
}

class LineMarker extends GutterMarker {
  readonly #note: LineNote;
  readonly #isNamed: boolean;

  constructor(note: LineNote, isNamed: boolean) {
    super();
    this.#note = note;
    this.#isNamed = isNamed;
    this.elementClass = `line-note line-note-${note.kind}`;
  }

  override eq(other: LineMarker): boolean {
    const [a, b] = [this.#note, other.#note];
    return (
      this.#isNamed === other.#isNamed && a.kind === b.kind && a.title === b.title && a.facts === b.facts
    );
  }

  override toDOM(): Node {
    const { sign, name, facts, title } = this.#note;
    const note = document.createElement('span');
    note.title = title;
    if (!this.#isNamed) return note;
    for (const [part, text] of Object.entries({ sign, name, facts })) {
      const element = document.createElement(part === 'name' ? 'bdi' : 'span');
      element.className = `line-note-${part}`;
      element.textContent = text;
      note.append(element);
    }
    return note;
  }
}

/** A CodeMirror theme, because CodeMirror's styles are outside all cascade layers. */
const look = EditorView.theme({
  '.cm-gutters': {
    border: '0',
    background: 'var(--stoa-background)',
    color: 'var(--stoa-text-muted)',
    marginInlineEnd: '12px',
  },
  '.line-gutter': { inlineSize: 'var(--line-gutter-size, 28px)' },
  '.line-gutter .cm-gutterElement': { paddingBlock: '0', paddingInline: '0 6px' },
});

/** Removes the gutter. */
export function hideLineGutter(view: EditorView): void {
  view.dispatch({ effects: alongsideLines.reconfigure([]) });
}
