import type { Anchor, AnchorStatus, ByteRange } from './anchor.ts';
import { type Alignment, alignContents } from './diff/alignment.ts';
import { locatePoint } from './locate-point.ts';
import { locateRange } from './locate-range.ts';
import type { FoundPlace } from './places/found-place.ts';
import { findPlaceWithoutDiff } from './places/place-without-diff.ts';
import { decodeText, encodeText } from './text/utf8.ts';

/**
 * Where an anchor is in the current content. `range` in bytes, empty for a point. `currentText` is what stands there
 * now, the empty text for a point. Both are null unless `anchored`.
 */
export interface ResolvedAnchor {
  readonly status: AnchorStatus;
  readonly range: ByteRange | null;
  readonly currentText: string | null;
}

export interface ResolveQuestion {
  /** The bytes the thread was pinned to, null when they are gone. */
  readonly pinnedContent: Uint8Array | null;
  /** Where the anchor was in them; bytes. */
  readonly pinnedRange: ByteRange;
  readonly content: Uint8Array;
  readonly anchor: Anchor;
  /** What `alignContents` answers for these two contents: made once, it serves every thread pinned to the same bytes. */
  readonly alignment?: Alignment;
}

/**
 * Finds an anchor again (interface: comments, Anchor status). A pure function of the two contents, so a
 * status comes back when the text does. See docs/anchoring.md for the steps.
 */
export function resolveAnchor(question: ResolveQuestion): ResolvedAnchor {
  const { pinnedContent, pinnedRange, content, anchor } = question;
  const known =
    pinnedContent !== null && holdsAnchor(pinnedContent, pinnedRange, anchor) ? pinnedContent : null;
  return answer(content, known === null ? locateByAnchor(anchor, content) : locate(known, question));
}

function locate(
  pinned: Uint8Array,
  { pinnedRange, content, anchor, alignment }: ResolveQuestion,
): FoundPlace {
  const aligned =
    alignment?.pinned === pinned && alignment.content === content
      ? alignment
      : alignContents(pinned, content);
  const withContexts = {
    start: Math.max(0, pinnedRange.start - encodeText(anchor.contextBefore).length),
    end: Math.min(pinned.length, pinnedRange.end + encodeText(anchor.contextAfter).length),
  };
  switch (anchor.kind) {
    case 'range':
      return locateRange(aligned, pinnedRange, withContexts);
    case 'point':
      return locatePoint(aligned, pinnedRange.start, withContexts);
  }
}

/** Without the pinned bytes, the texts that the thread stores have to do. */
function locateByAnchor(anchor: Anchor, content: Uint8Array): FoundPlace {
  const before = encodeText(anchor.contextBefore);
  const quote = encodeText(anchor.kind === 'range' ? anchor.quote : '');
  const after = encodeText(anchor.contextAfter);
  const bytes = new Uint8Array([...before, ...quote, ...after]);
  const range = { start: before.length, end: before.length + quote.length };
  return findPlaceWithoutDiff({ bytes, range, withContexts: { start: 0, end: bytes.length } }, content);
}

/** Bytes that do not hold the anchor are not the ones it was pinned to, and prove nothing. */
function holdsAnchor(pinned: Uint8Array, range: ByteRange, anchor: Anchor): boolean {
  if (range.start < 0 || range.end < range.start || range.end > pinned.length) return false;
  return anchor.kind === 'point'
    ? range.start === range.end
    : decodeText(pinned, range.start, range.end) === anchor.quote;
}

function answer(content: Uint8Array, place: FoundPlace): ResolvedAnchor {
  switch (place.kind) {
    case 'found': {
      const { range } = place;
      return { status: 'anchored', range, currentText: decodeText(content, range.start, range.end) };
    }
    case 'several':
      return { status: 'ambiguous', range: null, currentText: null };
    case 'none':
      return { status: 'outdated', range: null, currentText: null };
  }
}
