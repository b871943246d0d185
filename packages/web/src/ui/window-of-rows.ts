/** Which rows of many are drawn. */
export interface RowWindow {
  readonly first: number;
  /** The row behind the last one that is drawn. */
  readonly end: number;
}

/** Rows above and below what is seen: scrolling shows no gap before the next drawing. */
const overscanRows = 8;

/**
 * The rows that are seen, with some around them, and never more than `seen + 2 × overscan` of them.
 * @param offset how far the first row has been scrolled past the upper edge, in pixels; negative while it is below.
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
