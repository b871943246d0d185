import { movedWordBytesMin } from '../anchoring-limits.ts';
import { wordBytesWithin } from './agreement.ts';
import { type FoundPlace, foundPlace, noPlace } from './found-place.ts';
import { listPlaces } from './list-places.ts';
import type { KnownText } from './place-without-diff.ts';

/**
 * Finds the text with both its contexts whole, byte for byte. If it is long enough (`movedWordBytesMin`) and unique in
 * both versions, it counts wherever it moved.
 */
export function findPlaceWithContexts(
  { bytes, range, withContexts }: KnownText,
  content: Uint8Array,
): FoundPlace {
  if (wordBytesWithin(bytes, withContexts) < movedWordBytesMin) return noPlace;
  const whole = bytes.subarray(withContexts.start, withContexts.end);
  const [now, ...others] = listPlaces(content, whole, 'exact', 2);
  if (now === undefined || others.length > 0 || listPlaces(bytes, whole, 'exact', 2).length > 1)
    return noPlace;
  const start = now.start + range.start - withContexts.start;
  return foundPlace({ start, end: start + range.end - range.start });
}
