import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { TextRange } from '../text/sought-line.ts';

/** The matches of the search that led here; empty to remove the marks. */
export const foundAre = StateEffect.define<readonly TextRange[]>();

const mark = Decoration.mark({ class: 'editor-found' });

export const foundMarks = StateField.define<DecorationSet>({
  create: () => RangeSet.empty,
  update: (before, { changes, effects }) => {
    const found = effects.find((effect) => effect.is(foundAre));
    if (found === undefined) return before.map(changes);
    return RangeSet.of(found.value.map(({ start, end }) => mark.range(start, end)));
  },
  provide: (field) => EditorView.decorations.from(field),
});
