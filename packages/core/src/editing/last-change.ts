import { changedRanges } from '../merge/changed-ranges.ts';
import type { TextRange } from '../merge/text-edit.ts';

/**
 * Returns which of several texts, each made from the one before it, last changed a range of the last one: its index,
 * the first text being 0.
 */
export function lastChange(texts: readonly string[], range: TextRange): number {
  let { start, end } = range;
  for (let at = texts.length - 1; at > 1; at -= 1) {
    let shift = 0;
    let isTouched = false;
    for (const { older, newer } of changedRanges(texts[at - 1] ?? '', texts[at] ?? '')) {
      if (newer.start > end || (newer.start === end && start < end && newer.start < newer.end)) break;
      isTouched ||=
        newer.end > start || (newer.end === start && (newer.start === newer.end || start === end));
      shift = older.end - newer.end;
    }
    if (isTouched) return at;
    start += shift;
    end += shift;
  }
  return 1;
}
