import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { conflicts as texts } from '../text/en/conflicts.ts';
import type { Difference } from './differences.ts';

export type Taken = 'theirs' | 'mine' | 'both';

const settled = StateEffect.define<Difference>();
const restarted = StateEffect.define<readonly Difference[]>();

/** The differences that are still to be decided, with their places in the text as it is now. */
export const openDifferences = StateField.define<readonly Difference[]>({
  create: () => [],
  update: (before, { changes, effects }) => {
    let now = before.map((difference) => ({
      ...difference,
      from: changes.mapPos(difference.from, -1),
      to: changes.mapPos(difference.to, 1),
    }));
    for (const effect of effects) {
      if (effect.is(restarted)) return effect.value;
      if (effect.is(settled))
        now = now.filter(({ mine, theirs }) => mine !== effect.value.mine || theirs !== effect.value.theirs);
    }
    return now;
  },
  provide: (field) =>
    EditorView.decorations.compute([field], (state) => {
      const open = state.field(field);
      const marks = open.flatMap((difference) => {
        const line = state.doc.lineAt(difference.from);
        const widget = Decoration.widget({ widget: new Controls(difference), block: true, side: -1 });
        const range = Decoration.mark({ class: 'merge-undecided' });
        return [
          widget.range(line.from),
          ...(difference.from < difference.to ? [range.range(difference.from, difference.to)] : []),
        ];
      });
      return (marks.length === 0 ? RangeSet.empty : Decoration.set(marks, true)) as DecorationSet;
    }),
});

class Controls extends WidgetType {
  readonly difference: Difference;

  constructor(difference: Difference) {
    super();
    this.difference = difference;
  }

  override eq({ difference }: Controls): boolean {
    const { from, to, mine, theirs } = this.difference;
    return (
      difference.from === from &&
      difference.to === to &&
      difference.mine === mine &&
      difference.theirs === theirs
    );
  }

  toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement('div');
    dom.className = 'merge-controls';
    const labels = { theirs: texts.takeTheirs, mine: texts.takeMine, both: texts.takeBoth } as const;
    for (const taken of ['theirs', 'mine', 'both'] as const) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'ui-button';
      button.textContent = labels[taken];
      button.addEventListener('click', () => take(view, this.difference, taken));
      dom.append(button);
    }
    return dom;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function take(view: EditorView, { from, to, mine, theirs }: Difference, taken: Taken): void {
  const between = taken === 'both' && theirs !== '' && !theirs.endsWith('\n') ? '\n' : '';
  const insert = { theirs, mine, both: theirs + between + mine }[taken];
  view.dispatch({
    changes: { from, to, insert: view.state.toText(insert) },
    effects: settled.of({ from, to, mine, theirs }),
    userEvent: 'input.take',
  });
  view.focus();
}

/** Shows these to decide, in place of those before. */
export function showDifferences(view: EditorView, differences: readonly Difference[]): void {
  view.dispatch({ effects: restarted.of(differences) });
}

/** Puts the caret on the next difference, or the one before; round and round. */
export function goToDifference(view: EditorView, step: 1 | -1): boolean {
  const open = view.state.field(openDifferences);
  if (open.length === 0) return false;
  const { head } = view.state.selection.main;
  const later = open.filter(({ from }) => from > head);
  const earlier = open.filter(({ from }) => from < head);
  const target = step === 1 ? (later[0] ?? open[0]) : (earlier.at(-1) ?? open.at(-1));
  if (target === undefined) return false;
  // In the middle: what there is to choose stands around it.
  const effects = EditorView.scrollIntoView(target.from, { y: 'center' });
  view.dispatch({ selection: { anchor: target.from }, effects });
  view.focus();
  return true;
}

export const differenceMarks: Extension = openDifferences;
