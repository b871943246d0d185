import { defaultKeymap, history, historyKeymap, indentWithTab, redo } from '@codemirror/commands';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';
import { lineDirection } from '../merging/line-direction.ts';
import { editing as texts } from '../text/en/editing.ts';
import { commentMarks } from './comment-marks.ts';
import { byEngine, foreignMarks } from './foreign-edits.ts';
import { continueMark, formatting } from './formatting.ts';
import { foundMarks } from './found-marks.ts';
import { frontMatter } from './front-matter.ts';
import { lineEnds } from './line-ends.ts';
import { markdown } from './markdown.ts';
import { selectionOnFocus } from './selection-on-focus.ts';
import { slashMenu } from './slash-menu.ts';

/** Callbacks from the editor to its page. */
export interface EditorListener {
  edited(doc: Text): void;
  save(): void;
  leave(): void;
  /** The user edited the text or moved the caret. */
  movedOn(): void;
  /** A commented passage was pressed, or the caret entered it. */
  passage(id: string, how: 'pressed' | 'caret'): void;
}

const tabIndents = new Compartment();
export const named = new Compartment();

export function nameIs(name: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': texts.textOf(name) });
}

export const writable = new Compartment();

/** Whether the text may be edited: not in a read-only workspace. */
export function writableIs(isWritable: boolean): Extension {
  return [EditorState.readOnly.of(!isWritable), EditorView.editable.of(isWritable)];
}

const nonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const tabKey = keymap.of([indentWithTab]);

/** Tab moves the focus out of the editor, as on any page. Ctrl+M makes it indent until pressed again. */
const toggleTab: Command = (view) => {
  const isOn = tabIndents.get(view.state) === tabKey;
  view.dispatch({ effects: tabIndents.reconfigure(isOn ? [] : tabKey) });
  return true;
};

/** A key binding that calls the page. */
const handing =
  (run: () => void): Command =>
  () => {
    run();
    return true;
  };

const keys = (listener: () => EditorListener): Extension =>
  keymap.of([
    { key: 'Mod-s', preventDefault: true, run: handing(() => listener().save()) },
    { key: 'Mod-b', preventDefault: true, run: formatting('bold') },
    { key: 'Mod-i', preventDefault: true, run: formatting('italic') },
    // With a selection it inserts a link, otherwise the palette opens.
    {
      key: 'Mod-k',
      run: (view) => (view.state.selection.main.empty ? false : formatting('link')(view)),
    },
    { key: 'Ctrl-m', run: toggleTab },
    { key: 'Mod-f', preventDefault: true, run: find },
    { key: 'Mod-Shift-z', run: redo, preventDefault: true },
    { key: 'Enter', run: continueMark },
    { key: 'Escape', run: handing(() => listener().leave()) },
    ...historyKeymap,
    ...defaultKeymap,
  ]);

/** On a phone, bars cover the lower edge: keep the caret above them. */
const aboveBars = EditorView.scrollMargins.of(() => {
  const tops = [...document.querySelectorAll('.edit-formatting, .save-status-line')]
    .filter((bar) => getComputedStyle(bar).position === 'fixed')
    .map((bar) => bar.getBoundingClientRect().top);
  return tops.length === 0 ? null : { bottom: Math.max(0, window.innerHeight - Math.min(...tops)) };
});

/** A CodeMirror theme, because CodeMirror's styles are outside all cascade layers. */
const look = EditorView.theme({
  '&': { flex: '1', minWidth: '0', fontSize: '16px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.65' },
  '.cm-content': { maxWidth: '72ch', padding: '8px 0 30vh', caretColor: 'var(--stoa-text)' },
  '.cm-line': { padding: '0' },
  '.cm-panels': { background: 'var(--stoa-background)', color: 'var(--stoa-text)', zIndex: '3' },
  '.cm-panels-top': { border: '0' },
  '.cm-searchMatch': { background: 'var(--stoa-comment-mark)' },
  '.cm-searchMatch-selected': { background: 'var(--stoa-comment-mark-active)' },
  '.cm-tooltip': { border: '0', background: 'transparent' },
});

/** Loaded on first use: most edits need no search. */
function find(view: EditorView): boolean {
  void import('./find-bar.ts').then(({ openFindBar }) => openFindBar(view));
  return true;
}

/** A new editor state with its own undo history. */
export function createEditorState(
  doc: Text,
  {
    name,
    isMarkdown,
    isWritable,
    isNew,
  }: {
    readonly name: string;
    readonly isMarkdown: boolean;
    readonly isWritable: boolean;
    readonly isNew: boolean;
  },
  listener: () => EditorListener,
): EditorState {
  return EditorState.create({
    doc,
    // Writing continues at the end of a file that was just created.
    ...(isNew ? { selection: { anchor: doc.length } } : {}),
    extensions: [
      EditorView.cspNonce.of(nonce()),
      look,
      aboveBars,
      selectionOnFocus(),
      lineEnds,
      history(),
      EditorView.lineWrapping,
      lineDirection,
      EditorView.contentAttributes.of({
        'aria-multiline': 'true',
        autocapitalize: 'sentences',
        spellcheck: 'true',
      }),
      named.of(nameIs(name)),
      writable.of(writableIs(isWritable)),
      commentMarks((id, how) => listener().passage(id, how)),
      foreignMarks,
      foundMarks,
      ...(isMarkdown ? [markdown, frontMatter, slashMenu] : []),
      tabIndents.of([]),
      keys(listener),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        const isOurs = transactions.every((one) => !one.docChanged || one.annotation(byEngine) === true);
        if (docChanged && !isOurs) listener().edited(state.doc);
        if ((docChanged && !isOurs) || transactions.some((one) => one.isUserEvent('select')))
          listener().movedOn();
      }),
    ],
  });
}
