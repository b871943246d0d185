import { changedRanges } from '../merge/changed-ranges.ts';
import { type TextRange, trimmedEdit } from '../merge/text-edit.ts';

/**
 * Returns which of several texts, each made from the one before it, last changed a range of the first one: its index,
 * or null if the range is unchanged. Changes next to the range do not count, even on the same line.
 */
export function lastCollision(texts: readonly string[], range: TextRange): number | null {
  let { start, end } = range;
  let last: number | null = null;
  for (let at = 1; at < texts.length; at += 1) {
    const [older = '', newer = ''] = [texts[at - 1], texts[at]];
    let [from, to] = [start, end];
    for (const change of changedRanges(older, newer)) {
      const edit = trimmedEdit(older, change.older, newer.slice(change.newer.start, change.newer.end));
      const isInside = edit.start < end && edit.end > start;
      // Deleted text leaves an empty range, where other text may be inserted.
      const isThere = start === end && edit.start === start && edit.end === start;
      const growth = edit.text.length - (edit.end - edit.start);
      if (isInside || isThere) {
        last = at;
        if (edit.start < start) from -= start - edit.start;
        to = edit.end > end ? to + growth + (edit.end - end) : to + growth;
      } else if (edit.end <= start) {
        from += growth;
        to += growth;
      }
    }
    [start, end] = [from, to];
  }
  return last;
}
