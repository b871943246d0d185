import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface WindowedRowsProps {
  readonly count: number;
  /** Height of each row in pixels. */
  readonly rowHeight: number;
  /** The unique key of a row. When rows appear or disappear above it, it stays in the document and keeps the focus. */
  readonly keyOf: (index: number) => string;
  /** Renders a row. Its position is in `aria-rowindex` or `aria-posinset`. */
  readonly renderRow: (index: number) => ReactNode;
  /** The row that stays rendered while scrolling: the focused one. */
  readonly keep: number;
  /** Role of the element around the rows. */
  readonly role?: string;
}

/** Rows above and below the visible ones, so that scrolling shows no gap before the next render. */
const overscanRows = 8;

/** Many rows of equal height, of which only the visible ones are in the document. An ancestor scrolls. */
export function WindowedRows({
  count,
  rowHeight,
  keyOf,
  renderRow,
  keep,
  role = 'presentation',
}: WindowedRowsProps) {
  const element = useRef<HTMLDivElement>(null);
  // Before measuring, assume that the list starts at the upper edge of the window.
  const [shown, setShown] = useState(() => windowOf(0, window.innerHeight, rowHeight));
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const scroller = scrollerOf(box);
    const measure = () => {
      const scrolled = scroller.getBoundingClientRect().top - box.getBoundingClientRect().top;
      const next = windowOf(scrolled, scroller.clientHeight, rowHeight);
      setShown((before) => (before.first === next.first && before.end === next.end ? before : next));
    };
    measure();
    scroller.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    observer.observe(box);
    return () => {
      scroller.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [rowHeight]);

  // The previous row stays for one more render: until the focus has moved on, it would be lost with the row.
  const keptBefore = useRef(keep);
  useEffect(() => {
    keptBefore.current = keep;
  }, [keep]);
  const rows = new Set([keptBefore.current, keep]);
  for (let row = shown.first; row < shown.end; row += 1) rows.add(row);
  return (
    <div ref={element} role={role} style={{ position: 'relative', blockSize: count * rowHeight }}>
      {[...rows]
        .filter((index) => index < count)
        .sort((a, b) => a - b)
        .map((index) => (
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

/** @param scrolled pixels by which the first row is above the upper edge; negative while it is below */
function windowOf(scrolled: number, viewHeight: number, rowHeight: number) {
  return {
    first: Math.max(0, Math.floor(scrolled / rowHeight) - overscanRows),
    end: Math.ceil((scrolled + viewHeight) / rowHeight) + overscanRows,
  };
}

/** The nearest scrolling ancestor. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.documentElement;
}
