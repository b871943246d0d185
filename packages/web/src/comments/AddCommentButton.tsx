import { type RefObject, useEffect, useState } from 'react';
import { comments as texts } from '../text/en/comments.ts';
import { Button } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
import './comments.css';

/** Free space below the button, in pixels. */
const gap = 8;

/** The button next to a text selection that adds a comment. */
export function AddCommentButton({
  text,
  onAdd,
}: {
  /** The element that shows the text. */
  readonly text: RefObject<HTMLElement | null>;
  onAdd(): void;
}) {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number } | null>(null);

  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setAt(matchOfButton(text.current)));
    };
    document.addEventListener('selectionchange', look);
    document.addEventListener('scroll', look, { capture: true, passive: true });
    window.addEventListener('resize', look);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('scroll', look, { capture: true });
      window.removeEventListener('resize', look);
    };
  }, [text]);

  useCommands([
    {
      id: 'comments.add',
      words: texts.add,
      keys: ['Mod+Alt+M'],
      when: () => matchOfButton(text.current) !== null,
      run: onAdd,
    },
  ]);

  if (at === null) return null;
  return (
    <Button
      className="comments-add"
      icon="comments"
      style={{ insetInlineStart: at.x, insetBlockStart: at.y }}
      // Pressing the button must not clear the selection.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onAdd}
    >
      {texts.add}
    </Button>
  );
}

/** Below the end of the selection, within the window. */
function matchOfButton(text: HTMLElement | null): { readonly x: number; readonly y: number } | null {
  const selection = getSelection();
  if (text === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(text) || selection.toString().trim() === '') return null;
  const boxes = range.getClientRects();
  const last = boxes[boxes.length - 1];
  if (last === undefined) return null;
  return {
    x: Math.max(gap, Math.min(last.right, innerWidth - 160)),
    y: Math.max(gap, Math.min(last.bottom + gap, innerHeight - 56)),
  };
}
