import type { Anchor, AnchorStatus, ByteRange } from './anchor.ts';
import { type Alignment, alignContents } from './diff/alignment.ts';
import { locatePoint } from './locate-point.ts';
import { locateRange } from './locate-range.ts';
import type { FoundMatch } from './matches/found-match.ts';
import { findMatchWithoutDiff } from './matches/match-without-diff.ts';
import { decodeText, encodeText } from './text/utf8.ts';

/**
 * The position of an anchor in the current content. `range` is in bytes, empty for a point. `currentText` is the text
 * there now, empty for a point. Both are null unless `anchored`.
 */
export interface ResolvedAnchor {
  readonly status: AnchorStatus;
  readonly range: ByteRange | null;
  readonly currentText: string | null;
}

export interface ResolveQuestion {
  /** The bytes the thread was pinned to, null if they are gone. */
  readonly pinnedContent: Uint8Array | null;
  /** The range of the anchor in them; bytes. */
  readonly pinnedRange: ByteRange;
  readonly content: Uint8Array;
  readonly anchor: Anchor;
  /** The result of `alignContents` for these two contents. One serves every thread pinned to the same bytes. */
  readonly alignment?: Alignment;
}

/**
 * Finds an anchor again (interface: comments, Anchor status). A pure function of the two contents: if the text comes
 * back, so does the status. See docs/anchoring.md for the steps.
 */
export function resolveAnchor(question: ResolveQuestion): ResolvedAnchor {
  const { pinnedContent, pinnedRange, content, anchor } = question;
  const known =
    pinnedContent !== null && holdsAnchor(pinnedContent, pinnedRange, anchor) ? pinnedContent : null;
  return resolvedTo(content, known === null ? locateByAnchor(anchor, content) : locate(known, question));
}

function locate(
  pinned: Uint8Array,
  { pinnedRange, content, anchor, alignment }: ResolveQuestion,
): FoundMatch {
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

/** Uses the texts that the thread stores, because the pinned bytes are gone. */
function locateByAnchor(anchor: Anchor, content: Uint8Array): FoundMatch {
  const before = encodeText(anchor.contextBefore);
  const quote = encodeText(anchor.kind === 'range' ? anchor.quote : '');
  const after = encodeText(anchor.contextAfter);
  const bytes = new Uint8Array([...before, ...quote, ...after]);
  const range = { start: before.length, end: before.length + quote.length };
  return findMatchWithoutDiff({ bytes, range, withContexts: { start: 0, end: bytes.length } }, content);
}

/** Bytes without the anchor are not the ones it was pinned to, and do not help. */
function holdsAnchor(pinned: Uint8Array, range: ByteRange, anchor: Anchor): boolean {
  if (range.start < 0 || range.end < range.start || range.end > pinned.length) return false;
  return anchor.kind === 'point'
    ? range.start === range.end
    : decodeText(pinned, range.start, range.end) === anchor.quote;
}

function resolvedTo(content: Uint8Array, match: FoundMatch): ResolvedAnchor {
  switch (match.kind) {
    case 'found': {
      const { range } = match;
      return { status: 'anchored', range, currentText: decodeText(content, range.start, range.end) };
    }
    case 'several':
      return { status: 'ambiguous', range: null, currentText: null };
    case 'none':
      return { status: 'outdated', range: null, currentText: null };
  }
}
