import { type MouseEvent, type PointerEvent, useRef } from 'react';

/** A long press opens the menu on devices without a second button. */
const longPressMs = 550;
const clickMs = 300;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Opens the menu of an element on a right click, Shift+F10 and a long press. A moving finger scrolls instead. */
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
      // A click caused by the long press follows at once; a later one, also by keyboard, is intentional.
      setTimeout(() => {
        hasOpened.current = false;
      }, clickMs);
    },
    // It would take the focus from the menu, which closes without it.
    onMouseDown: (event: MouseEvent) => {
      if (hasOpened.current) event.preventDefault();
    },
    // Releasing a long press must not open the element below the finger.
    onClickCapture: (event: MouseEvent) => {
      if (!hasOpened.current) return;
      hasOpened.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    onPointerCancel: end,
  };
}
