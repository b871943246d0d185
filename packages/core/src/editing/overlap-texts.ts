import type { TextOverlap } from '../merge/merge-texts.ts';
import type { TextRange } from '../merge/text-edit.ts';
import { cutText, LineCounter } from './line-ranges.ts';

/** A place where two texts changed the same lines of a third, with what stands there in each. */
export interface OverlapText {
  /** The line, from 1, on which it begins in `theirs`. */
  readonly line: number;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Texts of overlaps, the first of them at least; `left` is how many more there are. */
export interface OverlapTexts {
  readonly shown: readonly OverlapText[];
  readonly left: number;
}

const utf8 = new TextEncoder();

/**
 * What stands at the overlaps of a merge, for whoever has to decide. A text of more than `textMaxCharacters` is cut, and no
 * more of them are shown than `maxBytes` hold as JSON.
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
