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
  /** Brings a row into sight. It is drawn by the next frame. */
  scrollToRow(index: number): void;
}

export interface WindowedRowsProps {
  readonly count: number;
  /** Of every row, in pixels. */
  readonly rowHeight: number;
  /** What tells the row from all others: where rows come and go above it, it stays in the document, with the focus if that is in it. */
  readonly keyOf: (index: number) => string;
  /** Draws a row in its place, which it says by `aria-rowindex` or `aria-posinset`. */
  readonly renderRow: (index: number) => ReactNode;
  /** A row that stays drawn wherever one scrolls: the one that has the focus. */
  readonly keep?: number | null;
  /** Gets a handle for scrolling. */
  readonly handle?: RefObject<WindowedRowsHandle | null>;
  /** Role and name of the element around the rows. */
  readonly role?: string;
  readonly className?: string;
}

/** Many rows of one height, of which those in sight are in the document. The page or an ancestor scrolls. */
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
  // Before anything is measured: as if it began at the upper edge of the window.
  const [shown, setShown] = useState<RowWindow>(() =>
    windowOfRows({ count, rowHeight, offset: 0, viewHeight: window.innerHeight }),
  );
  // What scrolls is looked for once for each size of the window: it takes the style of every ancestor.
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

  // The row before stays for one drawing more: the focus is in it until it is given on, and would be lost with it.
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
  const rows = new Set(Array.from({ length: Math.max(0, last - first) }, (_, place) => first + place));
  for (const row of keep) if (row !== null && row >= 0 && row < count) rows.add(row);
  return [...rows].sort((a, b) => a - b);
}

/** The nearest ancestor that scrolls; null for the page itself. */
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
