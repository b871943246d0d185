import type { ByteRange } from './anchor.ts';
import { matchesListedMax } from './anchoring-limits.ts';
import { firstMatches } from './matches/list-matches.ts';
import { type ListedMatch, listMatches } from './matches/listed-match.ts';
import { type StoredContexts, storedContexts } from './matches/stored-context.ts';
import { sameFoldedMatch } from './text/folded-position.ts';
import { decodeText, encodeText } from './text/utf8.ts';
import { type MatchMode, visitMatches } from './text/visit-matches.ts';

/** The position as the commenter describes it. A point has both contexts and no quote. */
export interface MatchQuestion {
  readonly content: Uint8Array;
  readonly kind: 'range' | 'point';
  readonly quote?: string | undefined;
  readonly contextBefore?: string | undefined;
  readonly contextAfter?: string | undefined;
  /** From 1; counts every match of the quote, regardless of contexts. */
  readonly occurrence?: number | undefined;
}

/**
 * `placed`: byte offsets, equal for a point, and the anchor's text as the file has it. `ambiguous`: the number of
 * matches of the quote in the file, and the first ones that fit the request.
 */
export type MatchOutcome =
  | PlacedAnchor
  | { readonly kind: 'ambiguous'; readonly occurrences: number; readonly matches: readonly ListedMatch[] }
  | { readonly kind: 'not_found' };

export interface PlacedAnchor extends StoredContexts {
  readonly kind: 'placed';
  readonly start: number;
  readonly end: number;
  /** Empty for a point. */
  readonly quote: string;
}

/**
 * Creates a new anchor (interface: comments, Start a thread). Searches the quote byte for byte, and without a match
 * again with white space folded: text copied from a rendered page lacks the line ends of the file. Contexts keep only
 * the matches that they touch; if none is left, the result is `not_found`.
 *
 * Time is linear in the content, regardless of the number of matches.
 */
export function matchAnchor(question: MatchQuestion): MatchOutcome {
  const { content, kind, occurrence } = question;
  const given = { before: question.contextBefore ?? '', after: question.contextAfter ?? '' };
  const isRange = kind === 'range';
  const text = isRange ? (question.quote ?? '') : given.before + given.after;
  // Half a surrogate pair has no bytes: the search would be for U+FFFD.
  if (text === '' || ![given.before, text, given.after].every((part) => part.isWellFormed()))
    return { kind: 'not_found' };
  const pattern: Pattern = {
    before: encodeText(isRange ? given.before : ''),
    quote: encodeText(text),
    after: encodeText(isRange ? given.after : ''),
  };
  const mode = (['exact', 'folded'] as const).find((each) => stands(content, pattern.quote, each));
  if (mode === undefined) return { kind: 'not_found' };
  const found =
    occurrence === undefined
      ? findMeant(content, pattern, mode)
      : findCounted(content, pattern, mode, occurrence);
  const [only] = found;
  if (only === undefined) return { kind: 'not_found' };
  if (found.length > 1) return { kind: 'ambiguous', ...listMatches(content, pattern.quote, mode, found) };
  const at = isRange
    ? null
    : sameFoldedMatch(pattern.quote, 0, encodeText(given.before).length, content, only.start);
  return placedAnchor(content, at === null ? only : { start: at, end: at }, question);
}

/** Returns the anchor at a range of `content`. Keeps the requested contexts if the file has them there. */
export function placedAnchor(
  content: Uint8Array,
  { start, end }: ByteRange,
  asked: Pick<MatchQuestion, 'contextBefore' | 'contextAfter'>,
): PlacedAnchor {
  const quote = decodeText(content, start, end);
  return { kind: 'placed', start, end, quote, ...storedContexts(content, { start, end }, asked) };
}

interface Pattern {
  readonly before: Uint8Array;
  readonly quote: Uint8Array;
  readonly after: Uint8Array;
}

/** Returns the first matches of the quote within its contexts. If there is no exact match, white space is folded. */
function findMeant(content: Uint8Array, pattern: Pattern, mode: MatchMode): readonly ByteRange[] {
  const whole = joined(pattern);
  const modes: readonly MatchMode[] = mode === 'exact' ? ['exact', 'folded'] : ['folded'];
  for (const each of modes) {
    const matches = firstMatches(content, whole, each, matchesListedMax);
    if (matches.length > 0) return matches.map((match) => quoteWithin(content, pattern, whole, match, each));
  }
  return [];
}

function findCounted(
  content: Uint8Array,
  pattern: Pattern,
  mode: MatchMode,
  occurrence: number,
): readonly ByteRange[] {
  let counted = 0;
  let found: ByteRange | null = null;
  visitMatches(content, pattern.quote, mode, (start, end) => {
    counted += 1;
    if (counted === occurrence) found = { start, end };
    return counted < occurrence;
  });
  const match = found as ByteRange | null;
  return match !== null && hasContexts(content, pattern, match) ? [match] : [];
}

/** True if the contexts directly surround one match. */
function hasContexts(content: Uint8Array, pattern: Pattern, match: ByteRange): boolean {
  const whole = joined(pattern);
  // A run of white space can be any number of times longer in the file than in the context. Longer than this, the text
  // does not count as the context.
  const room = 2 * whole.length + 64;
  const from = Math.max(0, match.start - room);
  const to = Math.min(content.length, match.end + room);
  let has = false;
  for (const mode of ['exact', 'folded'] as const) {
    const visit = (start: number, end: number): boolean => {
      has ||= quoteWithin(content, pattern, whole, { start, end }, mode).start === match.start;
      return !has;
    };
    visitMatches(content, whole, mode, visit, from, to);
  }
  return has;
}

function quoteWithin(
  content: Uint8Array,
  { before, quote }: Pattern,
  whole: Uint8Array,
  match: ByteRange,
  mode: MatchMode,
): ByteRange {
  return {
    start: matchWithin(content, whole, before.length, match, mode),
    end: matchWithin(content, whole, before.length + quote.length, match, mode),
  };
}

/** Returns the position of the offset `at` of `text`, given the match of `text`. */
function matchWithin(
  content: Uint8Array,
  text: Uint8Array,
  at: number,
  match: ByteRange,
  mode: MatchMode,
): number {
  return mode === 'exact' ? match.start + at : sameFoldedMatch(text, 0, at, content, match.start);
}

function joined({ before, quote, after }: Pattern): Uint8Array {
  const whole = new Uint8Array(before.length + quote.length + after.length);
  whole.set(before);
  whole.set(quote, before.length);
  whole.set(after, before.length + quote.length);
  return whole;
}

function stands(content: Uint8Array, quote: Uint8Array, mode: MatchMode): boolean {
  return firstMatches(content, quote, mode, 1).length > 0;
}
