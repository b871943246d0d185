import type { ByteRange } from '../anchor.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { shiftedRange, tokensTouched } from '../diff/token-range.ts';
import { type FoundMatch, foundMatch, noMatch } from './found-match.ts';
import { firstMatches } from './list-matches.ts';

/**
 * Finds the pinned text on a line that the diff kept whole, if that line is unique in both versions. So a heading keeps
 * its thread when all text around it is rewritten. A line that occurs several times does not count.
 */
export function findOnKeptLine(tokens: TokenAlignment, range: ByteRange): FoundMatch {
  const { pinned, current, toCurrent, inKeptLine } = tokens;
  const touched = tokensTouched(pinned, range);
  const line = pinned.lineOf[touched.first];
  if (line === undefined || touched.end === touched.first || pinned.lineOf[touched.end - 1] !== line)
    return noMatch;
  const first = pinned.lineFirst[line] ?? 0;
  const last = (pinned.lineFirst[line + 1] ?? pinned.count) - 1;
  const shift = (toCurrent[first] ?? -1) - first;
  if (inKeptLine[first] !== 1 || shift + first < 0) return noMatch;
  const text = pinned.bytes.subarray(pinned.starts[first], pinned.ends[last]);
  for (const bytes of [pinned.bytes, current.bytes]) {
    if (firstMatches(bytes, text, 'folded', 2).length > 1) return noMatch;
  }
  return foundMatch(shiftedRange(tokens, touched, range, shift));
}
