import { type Extension, RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { frontMatterBlock } from '@stoa/core';

/** Core looks no further for the block's end. */
const headUnits = 64 * 1024 + 1;
const line = Decoration.line({ class: 'editor-front-matter' });

/** The lines of front matter look like what they are: markdown alone would take the last of them for a heading. */
export const frontMatter: Extension = StateField.define<DecorationSet>({
  create: ({ doc }) => linesOf(doc),
  update: (lines, { docChanged, newDoc }) => (docChanged ? linesOf(newDoc) : lines),
  provide: (field) => EditorView.decorations.from(field),
});

function linesOf(doc: Text): DecorationSet {
  const end = frontMatterEnd(doc);
  if (end === 0) return Decoration.none;
  const lines = new RangeSetBuilder<Decoration>();
  for (let number = 1; number <= doc.lines; number += 1) {
    const { from } = doc.line(number);
    if (from >= end) break;
    lines.add(from, from, line);
  }
  return lines.finish();
}

/** Where the text proper begins; 0 without front matter. It is asked at each key, so most texts end it at once. */
export function frontMatterEnd(doc: Text): number {
  if (!/^\ufeff?---/.test(doc.sliceString(0, 4))) return 0;
  return frontMatterBlock(doc.sliceString(0, headUnits))?.end ?? 0;
}
