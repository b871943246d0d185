import type { ByteRange } from '../anchor.ts';

/** The result of one step of the search for the pinned text. `none` leaves the decision to the next step. */
export type FoundMatch =
  | { readonly kind: 'found'; readonly range: ByteRange }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' };

export const noMatch: FoundMatch = { kind: 'none' };
export const severalMatches: FoundMatch = { kind: 'several' };

export function foundMatch(range: ByteRange): FoundMatch {
  return { kind: 'found', range };
}
