import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * A text that takes the focus again has the caret, or the selection, that it had. A browser puts the caret at the start
 * when the focus is given back by a script, as forms and dialogs do. The library puts it right when the browser tells of
 * the new caret, but only if that comes soon: on a busy machine the selection was lost, and what was typed at once went
 * to the start of the text. Here it is put right before anything else can happen.
 */
export function selectionOnFocus(): Extension {
  // Who presses in the text says by that where the caret goes.
  let isPressed = false;
  return EditorView.domEventObservers({
    pointerdown: () => {
      isPressed = true;
    },
    blur: () => {
      isPressed = false;
    },
    focus: (_, view) => {
      const selection = document.getSelection();
      if (isPressed || selection === null || !isAtStart(view, selection)) return;
      const { anchor, head } = view.state.selection.main;
      const from = view.domAtPos(anchor, anchor > head ? -1 : 1);
      const to = view.domAtPos(head, anchor > head ? 1 : -1);
      selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
    },
  });
}

/** Where a browser puts the caret of itself: what a script selected is elsewhere. */
function isAtStart(view: EditorView, { isCollapsed, anchorNode, anchorOffset }: Selection): boolean {
  if (!isCollapsed || anchorNode === null) return anchorNode === null;
  return !view.contentDOM.contains(anchorNode) || view.posAtDOM(anchorNode, anchorOffset) === 0;
}
