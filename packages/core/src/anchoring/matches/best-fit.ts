import type { ByteRange } from '../anchor.ts';
import { fitCellsMax } from '../anchoring-limits.ts';
import { type FoldedText, foldText } from '../text/folded-text.ts';

export interface Fit {
  readonly range: ByteRange;
  /** As `similarity` measures it. */
  readonly similarity: number;
}

/**
 * Returns the part of `area` that is most similar to `quote` (Sellers' search with deletions and insertions only). Null
 * if no part is similar or the two are too large. Of equally good parts, the longest and then the first wins.
 */
export function bestFit(quote: FoldedText, bytes: Uint8Array, area: ByteRange): Fit | null {
  const text = foldText(bytes, area);
  const size = quote.codes.length;
  if (size === 0 || size * text.codes.length > fitCellsMax) return null;
  // By length of the quote's prefix: the fewest edits to a part that ends here, and the start of that part.
  let edits = Int32Array.from({ length: size + 1 }, (_, i) => i);
  let begins = new Int32Array(size + 1);
  let nextEdits = new Int32Array(size + 1);
  let nextBegins = new Int32Array(size + 1);
  let best: { start: number; end: number; similarity: number } | null = null;
  for (let end = 1; end <= text.codes.length; end += 1) {
    const code = text.codes[end - 1];
    nextEdits[0] = 0;
    nextBegins[0] = end;
    for (let i = 1; i <= size; i += 1) {
      let least = (edits[i] ?? 0) + 1;
      let begin = begins[i] ?? 0;
      const deleted = (nextEdits[i - 1] ?? 0) + 1;
      if (deleted < least) {
        least = deleted;
        begin = nextBegins[i - 1] ?? 0;
      }
      if (quote.codes[i - 1] === code && (edits[i - 1] ?? 0) <= least) {
        least = edits[i - 1] ?? 0;
        begin = begins[i - 1] ?? 0;
      }
      nextEdits[i] = least;
      nextBegins[i] = begin;
    }
    [edits, nextEdits] = [nextEdits, edits];
    [begins, nextBegins] = [nextBegins, begins];
    const start = begins[size] ?? 0;
    const alike = 1 - (edits[size] ?? 0) / (size + end - start);
    if (alike > 0 && (best === null || alike > best.similarity)) best = { start, end, similarity: alike };
  }
  if (best === null) return null;
  const start = text.starts[best.start] ?? area.start;
  return { range: { start, end: text.ends[best.end - 1] ?? start }, similarity: best.similarity };
}
