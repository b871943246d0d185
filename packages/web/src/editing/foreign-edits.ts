import {
  Annotation,
  type ChangeSpec,
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { TextEdit } from '@stoa/core';

/** A transaction of the engine, which already has its text. */
export const byEngine = Annotation.define<true>();

/** All ranges of one change expire together, each change at its own time. */
interface Mark {
  readonly from: number;
  readonly to: number;
  readonly who: string;
  readonly change: number;
}

const marked = StateEffect.define<Mark>({
  map: ({ from, to, ...rest }, changes) => ({
    from: changes.mapPos(from, 1),
    to: changes.mapPos(to, -1),
    ...rest,
  }),
});
const unmarked = StateEffect.define<number>();
let changesMade = 0;

/** Ranges that another user has just changed. */
const marks = StateField.define<DecorationSet>({
  create: () => RangeSet.empty,
  update: (before, transaction) => {
    let now = before.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(unmarked))
        now = now.update({ filter: (_from, _to, { spec }) => spec.change !== effect.value });
      if (effect.is(marked) && effect.value.from < effect.value.to) {
        const { from, to, who, change } = effect.value;
        const attributes = { class: 'editor-foreign', title: who };
        now = now.update({ add: [Decoration.mark({ attributes, change }).range(from, to)], sort: true });
      }
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const foreignMarks: Extension = marks;

/** Time for which a changed range is marked. */
export const markedMs = 5000;

export function changesOf(state: EditorState, edits: readonly TextEdit[]): ChangeSpec {
  return edits.map(({ start, end, text }) => ({ from: start, to: end, insert: state.toText(text) }));
}

/**
 * Applies another user's edits outside the undo history, so Undo only reverts the user's own edits. Caret, selection
 * and history are mapped through them.
 */
export function applyForeign(view: EditorView, edits: readonly TextEdit[], who: string): void {
  const changes = view.state.changes(changesOf(view.state, edits));
  const locations: { from: number; to: number }[] = [];
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    locations.push({ from, to });
  });
  changesMade += 1;
  const change = changesMade;
  view.dispatch({
    changes,
    effects: locations.map((location) => marked.of({ ...location, who, change })),
    annotations: [Transaction.addToHistory.of(false), byEngine.of(true)],
  });
  setTimeout(() => view.dispatch({ effects: unmarked.of(change), annotations: byEngine.of(true) }), markedMs);
}
