import { type MouseEvent, type PointerEvent, useRef } from 'react';

/** A long press opens the menu where there is no second button. */
const longPressMs = 550;
const clickMs = 300;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The second button, Shift+F10 and a finger that rests on a thing: for the element whose menu it is. Moving on is scrolling. */
export function useContextMenu(open: (at: Point, element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef<Point | null>(null);
  const hasOpened = useRef(false);
  const end = () => {
    clearTimeout(timer.current);
    start.current = null;
  };
  return {
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      event.preventDefault();
      end();
      open({ x: event.clientX, y: event.clientY }, event.currentTarget);
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'mouse') return;
      const at = { x: event.clientX, y: event.clientY };
      const element = event.currentTarget;
      start.current = at;
      hasOpened.current = false;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        hasOpened.current = true;
        open(at, element);
      }, longPressMs);
    },
    onPointerMove: (event: PointerEvent) => {
      const from = start.current;
      if (from !== null && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 8) end();
    },
    onPointerUp: () => {
      end();
      // A click that belongs to it comes at once; a later one, by the keyboard too, is meant.
      setTimeout(() => {
        hasOpened.current = false;
      }, clickMs);
    },
    // It would take the focus back from the menu, which closes without it.
    onMouseDown: (event: MouseEvent) => {
      if (hasOpened.current) event.preventDefault();
    },
    // The finger that is lifted from a menu's element has not chosen what is under it.
    onClickCapture: (event: MouseEvent) => {
      if (!hasOpened.current) return;
      hasOpened.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    onPointerCancel: end,
  };
}
