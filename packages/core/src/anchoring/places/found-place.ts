import type { ByteRange } from '../anchor.ts';

/** The result of one step of the search for the pinned text. `none` leaves the decision to the next step. */
export type FoundPlace =
  | { readonly kind: 'found'; readonly range: ByteRange }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' };

export const noPlace: FoundPlace = { kind: 'none' };
export const severalPlaces: FoundPlace = { kind: 'several' };

export function foundPlace(range: ByteRange): FoundPlace {
  return { kind: 'found', range };
}
