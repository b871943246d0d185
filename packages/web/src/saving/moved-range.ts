import { mergeTexts, type TextEdit } from '@stoa/core';

export interface PositionInText {
  readonly start: number;
  readonly end: number;
}

/** The last comparison, because callers map several ranges of one text in sequence. */
let asked: { readonly from: string; readonly to: string; readonly edits: readonly TextEdit[] } | null = null;

/**
 * Maps a range of one text to what the text became; null if none of it is left. Insertions directly before or after it
 * stay outside. UTF-16 units.
 */
export function movedRange(from: string, to: string, { start, end }: PositionInText): PositionInText | null {
  if (from === to) return { start, end };
  if (asked === null || asked.from !== from || asked.to !== to)
    asked = { from, to, edits: mergeTexts(from, from, to, { within: 'words' }).edits };
  const moved = {
    start: movedPosition(asked.edits, start, 'behind'),
    end: movedPosition(asked.edits, end, 'before'),
  };
  return moved.start < moved.end ? moved : null;
}

/** @param side of a replacement text on which `at` ends up, if the text around `at` was replaced */
function movedPosition(edits: readonly TextEdit[], at: number, side: 'before' | 'behind'): number {
  let shift = 0;
  for (const { start, end, text } of edits) {
    if (start > at || (start === at && end === at && side === 'before') || (start === at && end > at)) break;
    if (end > at) return side === 'behind' ? start + shift + text.length : start + shift;
    shift += text.length - (end - start);
  }
  return at + shift;
}
