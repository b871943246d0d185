import { EditorSelection, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap, showTooltip, type Tooltip, type TooltipView } from '@codemirror/view';
import { editing as texts } from '../text/en/editing.ts';
import { lineEndAt } from './line-ends.ts';

interface Choice {
  readonly label: string;
  /** `|` marks the caret. */
  readonly insert: string;
}

const choices: readonly Choice[] = [
  { label: texts.slash.heading1, insert: '# |' },
  { label: texts.slash.heading2, insert: '## |' },
  { label: texts.slash.heading3, insert: '### |' },
  { label: texts.slash.list, insert: '- |' },
  { label: texts.slash.numberedList, insert: '1. |' },
  { label: texts.slash.taskList, insert: '- [ ] |' },
  { label: texts.slash.quote, insert: '> |' },
  { label: texts.slash.codeBlock, insert: '```\n|\n```' },
  { label: texts.slash.table, insert: '| |  |\n| --- | --- |\n|  |  |' },
  { label: texts.slash.line, insert: '---\n|' },
];

interface OpenMenu {
  /** Position of the slash, at the start of its line. */
  readonly at: number;
  readonly chosen: number;
  readonly shown: readonly Choice[];
}

const moved = StateEffect.define<number>();
const closed = StateEffect.define<null>();

const openMenu = StateField.define<OpenMenu | null>({
  create: () => null,
  update: (before, transaction) => {
    const { state } = transaction;
    for (const effect of transaction.effects) {
      if (effect.is(closed)) return null;
      if (effect.is(moved) && before !== null) {
        const count = before.shown.length;
        return { ...before, chosen: (before.chosen + effect.value + count) % count };
      }
    }
    if (!transaction.docChanged && transaction.selection === undefined) return before;
    const { head, empty } = state.selection.main;
    const line = state.doc.lineAt(head);
    const typed = /^\/([\p{L}\d ]{0,20})$/u.exec(state.doc.sliceString(line.from, head))?.[1];
    const begins = transaction.isUserEvent('input.type') && typed !== undefined;
    if (!empty || typed === undefined || (before === null && !begins) || head === line.from) return null;
    const shown = choices.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
    return shown.length === 0 ? null : { at: line.from, chosen: 0, shown };
  },
  provide: (field) => showTooltip.from(field, (menu) => (menu === null ? null : tooltipOf(menu))),
});

function tooltipOf({ at }: OpenMenu): Tooltip {
  return { pos: at, above: false, create: createView };
}

function createView(view: EditorView): TooltipView {
  const dom = document.createElement('div');
  dom.className = 'editor-slash';
  dom.setAttribute('role', 'listbox');
  dom.setAttribute('aria-label', texts.slash.name);
  const draw = () => {
    const menu = view.state.field(openMenu);
    dom.replaceChildren(
      ...(menu?.shown ?? []).map((choice, i) => {
        const option = document.createElement('div');
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', String(i === menu?.chosen));
        option.textContent = choice.label;
        option.addEventListener('pointerdown', (event) => {
          event.preventDefault();
          take(view, choice);
        });
        return option;
      }),
    );
  };
  draw();
  return { dom, update: draw };
}

function take(view: EditorView, { insert }: Choice): boolean {
  const menu = view.state.field(openMenu, false);
  if (menu === null || menu === undefined) return false;
  const text = insert.replaceAll('\n', lineEndAt(view.state.doc, menu.at));
  const caret = insert.startsWith('| |') ? 2 : text.indexOf('|');
  const put = insert.startsWith('| |') ? text : text.replace('|', '');
  view.dispatch({
    changes: { from: menu.at, to: view.state.selection.main.head, insert: put },
    selection: EditorSelection.cursor(menu.at + caret),
    effects: closed.of(null),
    userEvent: 'input.slash',
  });
  view.focus();
  return true;
}

const isOpen = (view: EditorView) => (view.state.field(openMenu, false) ?? null) !== null;
const move = (by: number) => (view: EditorView) => {
  if (!isOpen(view)) return false;
  view.dispatch({ effects: moved.of(by) });
  return true;
};
const takeChosen = (view: EditorView) => {
  const menu = view.state.field(openMenu, false);
  const choice = menu?.shown[menu.chosen];
  return choice === undefined ? false : take(view, choice);
};

/** `/` at the start of a line opens a menu of blocks. */
export const slashMenu: Extension = [
  openMenu,
  Prec.highest(
    keymap.of([
      { key: 'ArrowDown', run: move(1) },
      { key: 'ArrowUp', run: move(-1) },
      { key: 'Enter', run: takeChosen },
      { key: 'Tab', run: takeChosen },
      {
        key: 'Escape',
        run: (view) => {
          if (!isOpen(view)) return false;
          view.dispatch({ effects: closed.of(null) });
          return true;
        },
      },
    ]),
  ),
];
