import type { ByteRange } from '../anchor.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { shiftedRange, tokensTouched } from '../diff/token-range.ts';
import { type FoundPlace, foundPlace, noPlace } from './found-place.ts';
import { listPlaces } from './list-places.ts';

/**
 * Finds the pinned text on a line that the diff kept whole, if that line is unique in both versions. So a heading keeps
 * its thread when all text around it is rewritten. A line that occurs several times does not count.
 */
export function findOnKeptLine(tokens: TokenAlignment, range: ByteRange): FoundPlace {
  const { pinned, current, toCurrent, inKeptLine } = tokens;
  const touched = tokensTouched(pinned, range);
  const line = pinned.lineOf[touched.first];
  if (line === undefined || touched.end === touched.first || pinned.lineOf[touched.end - 1] !== line)
    return noPlace;
  const first = pinned.lineFirst[line] ?? 0;
  const last = (pinned.lineFirst[line + 1] ?? pinned.count) - 1;
  const shift = (toCurrent[first] ?? -1) - first;
  if (inKeptLine[first] !== 1 || shift + first < 0) return noPlace;
  const text = pinned.bytes.subarray(pinned.starts[first], pinned.ends[last]);
  for (const bytes of [pinned.bytes, current.bytes]) {
    if (listPlaces(bytes, text, 'folded', 2).length > 1) return noPlace;
  }
  return foundPlace(shiftedRange(tokens, touched, range, shift));
}
