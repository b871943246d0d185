import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Keeps the caret and the selection when a script returns the focus to the text, as forms and dialogs do. Browsers then
 * put the caret at the start. CodeMirror corrects this only if the selection event comes soon: on a busy machine the
 * selection was lost, and text typed at once went to the start.
 */
export function selectionOnFocus(): Extension {
  // A press in the text positions the caret itself.
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

/** Whether the caret is where a browser puts it by default, unlike a selection set by a script. */
function isAtStart(view: EditorView, { isCollapsed, anchorNode, anchorOffset }: Selection): boolean {
  if (!isCollapsed || anchorNode === null) return anchorNode === null;
  return !view.contentDOM.contains(anchorNode) || view.posAtDOM(anchorNode, anchorOffset) === 0;
}
