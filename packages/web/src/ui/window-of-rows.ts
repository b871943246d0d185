/** The range of rows to render. */
export interface RowWindow {
  readonly first: number;
  /** The row after the last rendered one. */
  readonly end: number;
}

/** Rows above and below the visible ones, so that scrolling shows no gap before the next render. */
const overscanRows = 8;

/**
 * The visible rows with some around them, never more than `visible + 2 × overscan`.
 * @param offset pixels by which the first row has scrolled past the upper edge; negative while it is below
 */
export function windowOfRows(facts: {
  readonly count: number;
  readonly rowHeight: number;
  readonly offset: number;
  readonly viewHeight: number;
}): RowWindow {
  const { count, rowHeight, offset, viewHeight } = facts;
  const firstSeen = Math.floor(offset / rowHeight);
  const endSeen = Math.ceil((offset + viewHeight) / rowHeight);
  const first = Math.min(count, Math.max(0, firstSeen - overscanRows));
  return { first, end: Math.max(first, Math.min(count, endSeen + overscanRows)) };
}
