import type { ByteRange } from '../anchor.ts';

/** Where a step of the ladder sees the pinned text now. `none` leaves the question to the next step. */
export type FoundPlace =
  | { readonly kind: 'found'; readonly range: ByteRange }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' };

export const noPlace: FoundPlace = { kind: 'none' };
export const severalPlaces: FoundPlace = { kind: 'several' };

export function foundPlace(range: ByteRange): FoundPlace {
  return { kind: 'found', range };
}
