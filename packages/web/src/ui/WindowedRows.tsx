import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type RowWindow, windowOfRows } from './window-of-rows.ts';

export interface WindowedRowsHandle {
  /** Scrolls a row into view. It is rendered by the next frame. */
  scrollToRow(index: number): void;
}

export interface WindowedRowsProps {
  readonly count: number;
  /** Height of each row in pixels. */
  readonly rowHeight: number;
  /** The unique key of a row. When rows appear or disappear above it, it stays in the document and keeps the focus. */
  readonly keyOf: (index: number) => string;
  /** Renders a row. Its position is in `aria-rowindex` or `aria-posinset`. */
  readonly renderRow: (index: number) => ReactNode;
  /** The row that stays rendered while scrolling: the focused one. */
  readonly keep?: number | null;
  /** Receives a handle for scrolling. */
  readonly handle?: RefObject<WindowedRowsHandle | null>;
  /** Role of the element around the rows. */
  readonly role?: string;
  readonly className?: string;
}

/** Many rows of equal height, of which only the visible ones are in the document. The page or an ancestor scrolls. */
export function WindowedRows({
  count,
  rowHeight,
  keyOf,
  renderRow,
  keep = null,
  handle,
  role = 'presentation',
  className,
}: WindowedRowsProps) {
  const element = useRef<HTMLDivElement>(null);
  // Before measuring, assume that the list starts at the upper edge of the window.
  const [shown, setShown] = useState<RowWindow>(() =>
    windowOfRows({ count, rowHeight, offset: 0, viewHeight: window.innerHeight }),
  );
  // Look up the scroll container once per window size: this reads the style of every ancestor.
  const known = useRef<{ readonly scroller: HTMLElement | null } | null>(null);
  const scrollerAbove = useCallback((box: HTMLElement) => {
    known.current ??= { scroller: scrollerOf(box) };
    return known.current.scroller;
  }, []);

  const measure = useCallback(() => {
    const box = element.current;
    if (box === null) return;
    const view = viewOf(scrollerAbove(box));
    const offset = view.top - box.getBoundingClientRect().top;
    const next = windowOfRows({ count, rowHeight, offset, viewHeight: view.height });
    setShown((before) => (before.first === next.first && before.end === next.end ? before : next));
  }, [count, rowHeight, scrollerAbove]);

  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    const scroller = element.current === null ? null : scrollerAbove(element.current);
    const target = scroller ?? window;
    const resized = () => {
      known.current = null;
      measure();
    };
    target.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', resized);
    const observer = new ResizeObserver(measure);
    observer.observe(scroller ?? document.documentElement);
    return () => {
      target.removeEventListener('scroll', measure);
      window.removeEventListener('resize', resized);
      observer.disconnect();
    };
  }, [measure, scrollerAbove]);

  useEffect(() => {
    if (handle === undefined) return;
    handle.current = {
      scrollToRow: (index) => {
        const box = element.current;
        if (box === null) return;
        const scroller = scrollerAbove(box);
        const view = viewOf(scroller);
        const top = box.getBoundingClientRect().top + index * rowHeight - view.top;
        const by = top < 0 ? top : Math.max(0, top + rowHeight - view.height);
        (scroller ?? window).scrollBy({ top: by });
        measure();
      },
    };
    return () => {
      handle.current = null;
    };
  }, [handle, rowHeight, measure, scrollerAbove]);

  // The previous row stays for one more render: until the focus has moved on, it would be lost with the row.
  const keptBefore = useRef(keep);
  useEffect(() => {
    keptBefore.current = keep;
  }, [keep]);
  const rows = rowsOf(shown, [keptBefore.current, keep], count);
  return (
    <div
      ref={element}
      role={role}
      className={className}
      style={{ position: 'relative', blockSize: count * rowHeight }}
    >
      {rows.map((index) => (
        <div
          key={keyOf(index)}
          role="presentation"
          style={{
            position: 'absolute',
            insetInline: 0,
            insetBlockStart: index * rowHeight,
            blockSize: rowHeight,
          }}
        >
          {renderRow(index)}
        </div>
      ))}
    </div>
  );
}

function rowsOf(
  { first, end }: RowWindow,
  keep: readonly (number | null)[],
  count: number,
): readonly number[] {
  const last = Math.min(end, count);
  const rows = new Set(Array.from({ length: Math.max(0, last - first) }, (_, location) => first + location));
  for (const row of keep) if (row !== null && row >= 0 && row < count) rows.add(row);
  return [...rows].sort((a, b) => a - b);
}

/** The nearest scrolling ancestor; null for the page itself. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

function viewOf(scroller: HTMLElement | null): { readonly top: number; readonly height: number } {
  if (scroller === null) return { top: 0, height: window.innerHeight };
  return { top: scroller.getBoundingClientRect().top, height: scroller.clientHeight };
}
