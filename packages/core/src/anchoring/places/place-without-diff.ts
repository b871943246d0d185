import type { ByteRange } from '../anchor.ts';
import { movedWordBytesMin, placesExaminedMax } from '../anchoring-limits.ts';
import { agreementOf, outdoes, sumOf, wordBytesWithin } from './agreement.ts';
import { type FoundPlace, foundPlace, noPlace, severalPlaces } from './found-place.ts';
import { listPlaces } from './list-places.ts';

/** A pinned text with as much of the text around it as is known. */
export interface KnownText {
  readonly bytes: Uint8Array;
  readonly range: ByteRange;
  /** The thread's stored contexts as a range around `range`; bytes. */
  readonly withContexts: ByteRange;
}

/**
 * Finds a text without a diff, because the pinned bytes are gone or the differing part is too large. One match of the
 * quote with both contexts whole is enough.
 * Otherwise one match of the quote must be the only one, or fit better than all others. It must also be recognised by
 * shared words: a word on each side, or `movedWordBytesMin` bytes of words together.
 */
export function findPlaceWithoutDiff(known: KnownText, content: Uint8Array): FoundPlace {
  const { bytes, range, withContexts } = known;
  if (withContexts.end - withContexts.start > range.end - range.start) {
    const whole = listPlaces(content, bytes.subarray(withContexts.start, withContexts.end), 'exact', 2);
    const [only] = whole;
    if (only !== undefined && whole.length === 1) {
      const start = only.start + range.start - withContexts.start;
      return foundPlace({ start, end: start + range.end - range.start });
    }
  }
  for (const mode of ['exact', 'folded'] as const) {
    const places = listPlaces(content, bytes.subarray(range.start, range.end), mode, placesExaminedMax + 1);
    if (places.length > placesExaminedMax) return severalPlaces;
    if (places.length > 0) return mostRecognised(known, content, places);
  }
  return noPlace;
}

function mostRecognised(known: KnownText, content: Uint8Array, places: readonly ByteRange[]): FoundPlace {
  const quoteWords = wordBytesWithin(known.bytes, known.range);
  const rated = places.map((range) => ({
    range,
    agreement: agreementOf(known.bytes, known.range, content, range),
  }));
  for (const { range, agreement } of rated) {
    if (!rated.every((other) => other.range === range || outdoes(agreement, other.agreement))) continue;
    const isRecognised =
      (agreement.before > 0 && agreement.after > 0) || quoteWords + sumOf(agreement) >= movedWordBytesMin;
    return isRecognised ? foundPlace(range) : noPlace;
  }
  return severalPlaces;
}
