import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

/** A passage with threads, in UTF-16 units of the server's text. */
export interface CommentedPassage {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The label of the button at its start. */
  readonly label: string;
}

interface Placed {
  readonly id: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

interface Marked {
  readonly passages: readonly Placed[];
  readonly active: string | null;
}

/** All passages, at their positions in the editor's text. */
export const passagesAre = StateEffect.define<readonly Placed[]>();
export const activePassageIs = StateEffect.define<string | null>();

/** The passages, moved with edits around and inside them. A deleted passage loses its mark. */
export const commentedPassages = StateField.define<Marked>({
  create: () => ({ passages: [], active: null }),
  update: (before, { changes, docChanged, effects }) => {
    let { passages, active } = before;
    if (docChanged && passages.length > 0)
      passages = passages
        .map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) }))
        .filter(({ from, to }) => from < to);
    for (const effect of effects) {
      if (effect.is(passagesAre)) passages = effect.value;
      if (effect.is(activePassageIs)) active = effect.value;
    }
    return passages === before.passages && active === before.active ? before : { passages, active };
  },
});

/** The innermost passage around a position. */
export function passageAt({ passages }: Marked, at: number): string | null {
  const around = passages.filter(({ from, to }) => from <= at && at <= to);
  return around.toSorted((a, b) => a.to - a.from - (b.to - b.from))[0]?.id ?? null;
}

/** The positions in `doc` of passages of `source`, given how `source` became `doc`. */
export function placedIn(
  doc: Text,
  passages: readonly CommentedPassage[],
  moved: (location: { readonly start: number; readonly end: number }) => {
    readonly start: number;
    readonly end: number;
  } | null,
): readonly Placed[] {
  return passages.flatMap(({ id, label, ...location }) => {
    const now = moved(location);
    return now === null || now.end > doc.length ? [] : [{ id, label, from: now.start, to: now.end }];
  });
}

const mark = Decoration.mark({ tagName: 'mark', class: 'editor-comment' });
const activeMark = Decoration.mark({ tagName: 'mark', class: 'editor-comment editor-comment-active' });

type Opened = (id: string, how: 'pressed' | 'caret') => void;

function marksOf({ passages, active }: Marked, open: Opened): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const { id, label, from, to } of passages.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    marks.add(from, from, Decoration.widget({ widget: new PassageButton(id, label, open), side: 1 }));
    marks.add(from, to, id === active ? activeMark : mark);
  }
  return marks.finish();
}

/** Opens the threads of the passage that begins here. The keyboard equivalent is the caret in the passage. */
class PassageButton extends WidgetType {
  readonly #id: string;
  readonly #label: string;
  readonly #open: Opened;

  constructor(id: string, label: string, open: Opened) {
    super();
    this.#id = id;
    this.#label = label;
    this.#open = open;
  }

  override eq(other: PassageButton): boolean {
    return other.#id === this.#id && other.#label === this.#label;
  }

  override toDOM(): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'editor-comment-button';
    // Not in the tab order: Tab leaves the editor.
    button.tabIndex = -1;
    button.setAttribute('aria-label', this.#label);
    button.append(commentSign());
    // The caret must not move.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => this.#open(this.#id, 'pressed'));
    return button;
  }
}

/** The mark of a passage, as in the reading view: lucide's `message-square`. */
function commentSign(): SVGElement {
  const sign = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  sign.setAttribute('viewBox', '0 0 24 24');
  sign.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(sign.namespaceURI, 'path');
  path.setAttribute(
    'd',
    'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
  );
  sign.append(path);
  return sign as SVGElement;
}

/** @param open called when the button of a passage is pressed or the caret enters it. */
export function commentMarks(open: Opened): Extension {
  return [
    commentedPassages,
    EditorView.decorations.compute([commentedPassages], (state) =>
      marksOf(state.field(commentedPassages), open),
    ),
    EditorView.updateListener.of(({ state, transactions }) => {
      if (!transactions.some((one) => one.isUserEvent('select') && !one.docChanged)) return;
      const { main } = state.selection;
      const marked = state.field(commentedPassages);
      const id = main.empty ? passageAt(marked, main.head) : null;
      if (id !== null && id !== marked.active) open(id, 'caret');
    }),
  ];
}
