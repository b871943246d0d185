import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const auto = Decoration.line({ attributes: { dir: 'auto' } });

/** Sets the direction of each line by its first letter, and lets the editor follow it. */
export const lineDirection: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      lines: DecorationSet;

      constructor(view: EditorView) {
        this.lines = linesIn(view);
      }

      update({ view, docChanged, viewportChanged }: ViewUpdate) {
        if (docChanged || viewportChanged) this.lines = linesIn(view);
      }
    },
    { decorations: ({ lines }) => lines },
  ),
];

function linesIn({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  let last = -1;
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      if (line.from > last) lines.add(line.from, line.from, auto);
      last = line.from;
      at = line.to + 1;
    }
  }
  return lines.finish();
}
