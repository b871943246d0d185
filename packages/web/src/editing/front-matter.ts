import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { frontMatterBlock } from '@stoa/core';
import { hasFrontMatter } from '../reading/ask-parser.ts';

/** Core searches this far for the end of the block. */
const headUnits = 64 * 1024 + 1;
/** A block is often invalid while it is typed. */
const restMs = 1000;
const line = Decoration.line({ class: 'editor-front-matter' });

/** Whether the block is valid. Until that is known, it counts as front matter. */
const isFrontMatter = StateEffect.define<boolean>();

const marks = StateField.define<DecorationSet>({
  create: ({ doc }) => linesOf(doc),
  update(lines, { docChanged, newDoc, effects }) {
    for (const effect of effects)
      if (effect.is(isFrontMatter)) return effect.value ? linesOf(newDoc) : Decoration.none;
    return docChanged && lines.size > 0 ? linesOf(newDoc) : lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const judge = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView;
    #judged: string | null;
    #timer: ReturnType<typeof setTimeout> | null = null;

    constructor(view: EditorView) {
      this.#view = view;
      this.#judged = blockOf(view.state.doc);
      if (this.#judged !== null) this.#judgeAfter(0, this.#judged);
    }

    update({ docChanged, state }: ViewUpdate) {
      if (!docChanged) return;
      const block = blockOf(state.doc);
      if (block === this.#judged) return;
      this.#judgeAfter(block === null || this.#judged === null ? 0 : restMs, block);
      this.#judged = block;
    }

    destroy() {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    }

    #judgeAfter(ms: number, block: string | null) {
      this.destroy();
      const timer = setTimeout(async () => {
        // A block that takes too long counts as valid, as before.
        const is = block !== null && (await hasFrontMatter(block).catch(() => true));
        if (this.#timer === timer) this.#view.dispatch({ effects: isFrontMatter.of(is) });
      }, ms);
      this.#timer = timer;
    }
  },
);

/** Shows front matter as such. Markdown alone would show its last line as a heading. */
export const frontMatter: Extension = [marks, judge];

function linesOf(doc: Text): DecorationSet {
  const end = blockOf(doc)?.length ?? 0;
  if (end === 0) return Decoration.none;
  const lines = new RangeSetBuilder<Decoration>();
  for (let number = 1; number <= doc.lines; number += 1) {
    const { from } = doc.line(number);
    if (from >= end) break;
    lines.add(from, from, line);
  }
  return lines.finish();
}

/**
 * Returns the text from its start to the end of the block, or null. It runs at every key, so it first rules out most
 * texts.
 */
export function blockOf(doc: Text): string | null {
  if (!/^\ufeff?---/.test(doc.sliceString(0, 4))) return null;
  const head = doc.sliceString(0, headUnits);
  const end = frontMatterBlock(head)?.end;
  return end === undefined ? null : head.slice(0, end);
}
