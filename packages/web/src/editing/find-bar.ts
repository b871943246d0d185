import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  searchKeymap,
  setSearchQuery,
} from '@codemirror/search';
import { StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap, type Panel } from '@codemirror/view';
import { editing as texts } from '../text/en/editing.ts';

/** Marks states that have the bar. A state outlives its view, so the view cannot record it. */
const hasBar = StateField.define<true>({ create: () => true, update: (has) => has });

const bar = [
  hasBar,
  search({ top: true, createPanel }),
  keymap.of([
    { key: 'F3', run: findNext, shift: findPrevious, preventDefault: true },
    ...searchKeymap.filter(({ key }) => key === 'Mod-g'),
  ]),
];

/** Opens find and replace with the app's texts. The first call adds it to the editor. */
export function openFindBar(view: EditorView): void {
  if (view.state.field(hasBar, false) === undefined) {
    view.dispatch({ effects: StateEffect.appendConfig.of(bar) });
  }
  openSearchPanel(view);
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement('div');
  dom.className = 'editor-find';
  dom.setAttribute('role', 'search');
  dom.setAttribute('aria-label', texts.findInFile);
  const query = getSearchQuery(view.state);
  const find = field(texts.find, query.search);
  const replace = field(texts.replaceWith, query.replace);
  const matchCase = document.createElement('input');
  matchCase.type = 'checkbox';
  matchCase.checked = query.caseSensitive;
  const caseLabel = document.createElement('label');
  caseLabel.append(matchCase, ` ${texts.matchCase}`);

  const commit = () => {
    const next = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: matchCase.checked,
      literal: true,
    });
    if (!next.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(next) });
  };
  for (const input of [find, replace]) input.addEventListener('input', commit);
  matchCase.addEventListener('change', commit);
  find.setAttribute('main-field', 'true');

  const button = (label: string, run: (view: EditorView) => boolean) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'ui-button ui-button-quiet';
    element.textContent = label;
    element.addEventListener('click', () => run(view));
    return element;
  };
  dom.append(
    find,
    button(texts.previousMatch, findPrevious),
    button(texts.nextMatch, findNext),
    caseLabel,
    replace,
    button(texts.replace, replaceNext),
    button(texts.replaceAll, replaceAll),
    button(texts.closeFind, closeSearchPanel),
  );
  dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeSearchPanel(view);
    else if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    else if (event.target === replace) replaceNext(view);
    else if (event.shiftKey) findPrevious(view);
    else findNext(view);
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') view.focus();
  });
  return {
    dom,
    top: true,
    mount: () => find.select(),
    update: ({ transactions }) => {
      for (const { effects } of transactions)
        for (const effect of effects) if (effect.is(setSearchQuery)) find.value = effect.value.search;
    },
  };
}

function field(label: string, value: string): HTMLInputElement {
  const input = document.createElement('input');
  input.className = 'ui-input';
  input.value = value;
  input.placeholder = label;
  input.setAttribute('aria-label', label);
  return input;
}
