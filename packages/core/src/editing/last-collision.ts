import { changedRanges } from '../merge/changed-ranges.ts';
import { type TextRange, trimmedEdit } from '../merge/text-edit.ts';

/**
 * Which of several texts, each made of the one before it, last changed a range of the first one: its number, or null when none
 * did. Changes beside the range do not count, on the same line too.
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
      // Of a text that was taken away the place is left, where another one may be put.
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
