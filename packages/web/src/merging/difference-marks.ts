import { invertedEffects } from '@codemirror/commands';
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { conflicts as texts } from '../text/en/conflicts.ts';
import type { Difference } from './differences.ts';

/** Characters of their text shown at the buttons. */
const shownMax = 300;

export type Taken = 'theirs' | 'mine' | 'both';

/** With its range in the text before the change, because another difference may have equal texts. */
const settled = StateEffect.define<Difference>({ map: movedDifference });
/** The user undid a decision, so it must be made again. */
const reopened = StateEffect.define<Difference>({ map: movedDifference });
const restarted = StateEffect.define<readonly Difference[]>();

/** The undecided differences, with their ranges in the current text. */
export const openDifferences = StateField.define<readonly Difference[]>({
  create: () => [],
  update: (before, { changes, effects }) => {
    const restart = effects.find((effect) => effect.is(restarted));
    if (restart !== undefined) return restart.value;
    const taken = effects.flatMap((effect) => (effect.is(settled) ? [effect.value] : []));
    const again = effects.flatMap((effect) => (effect.is(reopened) ? [effect.value] : []));
    const left = before
      .filter(({ from, to }) => !taken.some((one) => one.from === from && one.to === to))
      .map((difference) => movedDifference(difference, changes));
    return again.length === 0 ? left : [...left, ...again].sort((a, b) => a.from - b.from || a.to - b.to);
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

function movedDifference(difference: Difference, changes: ChangeDesc): Difference {
  const { from, to } = difference;
  return { ...difference, from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) };
}

/** Undo reverts a decision with its text, and Redo makes it again. */
const decisionsInHistory = invertedEffects.of(({ effects }) =>
  effects.flatMap((effect) => {
    if (effect.is(settled)) return [reopened.of(effect.value)];
    return effect.is(reopened) ? [settled.of(effect.value)] : [];
  }),
);

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
    // On a phone the other text is above this one, out of view. Shown by CSS, because it is not part of the text.
    dom.dataset.theirs = texts.theirsHere(shortened(this.difference.theirs));
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

/** Enough to recognise the text. */
function shortened(text: string): string {
  const characters = [...text.trim()];
  return characters.length <= shownMax ? characters.join('') : `${characters.slice(0, shownMax).join('')}…`;
}

function take(view: EditorView, difference: Difference, taken: Taken): void {
  view.dispatch(decision(view.state, difference, taken));
  view.focus();
}

/** Decides one difference: inserts its text and removes the difference. */
export function decision(state: EditorState, difference: Difference, taken: Taken): TransactionSpec {
  const { from, to, mine, theirs } = difference;
  const between = taken === 'both' && theirs !== '' && !theirs.endsWith('\n') ? '\n' : '';
  const insert = { theirs, mine, both: theirs + between + mine }[taken];
  return {
    changes: { from, to, insert: state.toText(insert) },
    effects: settled.of(difference),
    userEvent: 'input.take',
  };
}

/** Replaces the undecided differences. */
export function toDecide(differences: readonly Difference[]): TransactionSpec {
  return { effects: restarted.of(differences) };
}

/** Moves the caret to the next or previous difference, wrapping at the ends. */
export function goToDifference(view: EditorView, step: 1 | -1): boolean {
  const open = view.state.field(openDifferences);
  if (open.length === 0) return false;
  const { head } = view.state.selection.main;
  const later = open.filter(({ from }) => from > head);
  const earlier = open.filter(({ from }) => from < head);
  const target = step === 1 ? (later[0] ?? open[0]) : (earlier.at(-1) ?? open.at(-1));
  if (target === undefined) return false;
  // Centred, so that the choices around it are visible.
  const effects = EditorView.scrollIntoView(target.from, { y: 'center' });
  view.dispatch({ selection: { anchor: target.from }, effects });
  view.focus();
  return true;
}

export const differenceMarks: Extension = [openDifferences, decisionsInHistory];
