import type { ByteRange } from './anchor.ts';
import { alignContents } from './diff/alignment.ts';
import { locatePoint } from './locate-point.ts';
import { locateRange } from './locate-range.ts';
import {
  type MatchOutcome,
  type MatchQuestion,
  matchAnchor,
  type PlacedAnchor,
  placedAnchor,
} from './match-anchor.ts';
import { foldText } from './text/folded-text.ts';
import { encodeText } from './text/utf8.ts';

/** `content` is the current content, `baseContent` the version that the quote was copied from. */
export interface MapQuestion extends MatchQuestion {
  readonly baseContent: Uint8Array;
}

/**
 * Anchors a quote that was copied from an earlier version (interface: comments, Start a thread): finds it there and
 * follows it to the current content. `ambiguous` and `not_found` refer to the base.
 * `quote_changed`: the quoted text has since been changed or deleted, or can no longer be distinguished from other
 * text.
 */
export function mapAnchor(question: MapQuestion): MatchOutcome | { readonly kind: 'quote_changed' } {
  const { baseContent, content, kind } = question;
  const base = matchAnchor({ ...question, content: baseContent });
  if (base.kind !== 'placed') return base;
  const alignment = alignContents(baseContent, content);
  const contexts = contextsOf(base);
  const match =
    kind === 'point' ? locatePoint(alignment, base.start, contexts) : locateRange(alignment, base, contexts);
  if (match.kind !== 'found' || !isSameText(baseContent, base, content, match.range))
    return { kind: 'quote_changed' };
  return placedAnchor(content, match.range, question);
}

function contextsOf(base: PlacedAnchor): ByteRange {
  const start = base.start - encodeText(base.contextBefore).length;
  return { start: Math.max(0, start), end: base.end + encodeText(base.contextAfter).length };
}

function isSameText(base: Uint8Array, baseRange: ByteRange, content: Uint8Array, range: ByteRange): boolean {
  const then = foldText(base, baseRange).codes;
  const now = foldText(content, range).codes;
  return then.length === now.length && then.every((code, i) => code === now[i]);
}
