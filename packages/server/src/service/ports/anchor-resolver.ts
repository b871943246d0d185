import type {
  Anchor,
  ByteRange,
  MapQuestion,
  mapAnchor,
  PlaceOutcome,
  PlaceQuestion,
  ResolvedAnchor,
} from '@stoa/core';

/** Anchors that are pinned to the same bytes, to be found in one content. */
export interface ResolveJob {
  /** Null when the bytes are gone. */
  readonly pinnedContent: Uint8Array | null;
  readonly content: Uint8Array;
  readonly anchors: readonly { readonly anchor: Anchor; readonly pinnedRange: ByteRange }[];
}

export type MapOutcome = ReturnType<typeof mapAnchor>;

/**
 * What core's anchoring functions answer, without holding up other work meanwhile. The contents that are handed over
 * belong to the resolver from then on: nobody may use them again.
 * @throws WorkspaceError `overloaded` when too much is under way, or when one answer takes far too long.
 */
export interface AnchorResolver extends AsyncDisposable {
  /** In the order of the anchors. */
  resolve(job: ResolveJob): Promise<readonly ResolvedAnchor[]>;
  place(question: PlaceQuestion): Promise<PlaceOutcome>;
  map(question: MapQuestion): Promise<MapOutcome>;
}
