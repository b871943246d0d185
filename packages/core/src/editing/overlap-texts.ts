import type { TextOverlap } from '../merge/merge-texts.ts';
import type { TextRange } from '../merge/text-edit.ts';
import { cutText, LineCounter } from './line-ranges.ts';

/** Lines that two texts changed in a third, with the text in each. */
export interface OverlapText {
  /** The first line of the overlap in `theirs`, from 1. */
  readonly line: number;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Texts of overlaps, at least of the first. `left` counts the others. */
export interface OverlapTexts {
  readonly shown: readonly OverlapText[];
  readonly left: number;
}

const utf8 = new TextEncoder();

/**
 * Returns the texts at the overlaps of a merge, for the user or agent that has to decide. Cuts texts after
 * `textMaxCharacters` and shows as many overlaps as fit in `maxBytes` of JSON.
 */
export function overlapTexts(
  texts: { readonly base: string; readonly mine: string; readonly theirs: string },
  overlaps: readonly TextOverlap[],
  { textMaxCharacters, maxBytes }: { readonly textMaxCharacters: number; readonly maxBytes: number },
): OverlapTexts {
  const lines = new LineCounter(texts.theirs);
  const cut = (text: string, { start, end }: TextRange) =>
    end - start <= textMaxCharacters
      ? text.slice(start, end)
      : `${cutText(text.slice(start, end), textMaxCharacters)}…`;
  const shown: OverlapText[] = [];
  let bytes = 0;
  for (const overlap of overlaps) {
    const each = {
      line: lines.lineAt(overlap.theirs.start),
      base: cut(texts.base, overlap.base),
      mine: cut(texts.mine, overlap.mine),
      theirs: cut(texts.theirs, overlap.theirs),
    };
    bytes += utf8.encode(JSON.stringify(each)).byteLength;
    if (shown.length > 0 && bytes > maxBytes) break;
    shown.push(each);
  }
  return { shown, left: overlaps.length - shown.length };
}
