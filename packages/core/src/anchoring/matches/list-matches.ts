import type { ByteRange } from '../anchor.ts';
import { type MatchMode, visitMatches } from '../text/visit-matches.ts';

/** Returns the first matches of `text` in `content`, at most `most`. */
export function firstMatches(
  content: Uint8Array,
  text: Uint8Array,
  mode: MatchMode,
  most: number,
): readonly ByteRange[] {
  const matches: ByteRange[] = [];
  visitMatches(content, text, mode, (start, end) => {
    matches.push({ start, end });
    return matches.length < most;
  });
  return matches;
}
