/** From byte `start` of a file up to and without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a thread is pinned to (interface: comments, Thread). A range anchor quotes text; a point anchor stands between
 * its two contexts and quotes nothing.
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
