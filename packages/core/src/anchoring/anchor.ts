/** From byte `start` of a file up to, but not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The text or point that a thread is pinned to (interface: comments, Thread). A range anchor quotes text. A point
 * anchor lies between its two contexts and has no quote.
 */
export type Anchor =
  | {
      readonly kind: 'range';
      readonly quote: string;
      readonly contextBefore: string;
      readonly contextAfter: string;
    }
  | { readonly kind: 'point'; readonly contextBefore: string; readonly contextAfter: string };

export const anchorStatuses = ['anchored', 'ambiguous', 'outdated'] as const;
export type AnchorStatus = (typeof anchorStatuses)[number];
