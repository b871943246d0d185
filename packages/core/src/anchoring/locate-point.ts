import type { ByteRange } from './anchor.ts';
import { contextMaxBytes, similarityMin } from './anchoring-limits.ts';
import type { Alignment, TokenAlignment } from './diff/alignment.ts';
import { unknownMatch } from './diff/sequence-match.ts';
import { shiftedRange, tokensTouched } from './diff/token-range.ts';
import { type FoundMatch, foundMatch, noMatch } from './matches/found-match.ts';
import { findJoinedMatch } from './matches/joined-match.ts';
import { findMatchWithoutDiff } from './matches/match-without-diff.ts';
import { findMovedMatch } from './matches/moved-match.ts';
import { sameFoldedMatch } from './text/folded-position.ts';
import { similarity } from './text/similarity.ts';
import { isInsideCharacter } from './text/utf8.ts';

/** Part of a point's contexts that must be recognised if text near the point changed. Bytes to each side. */
const pointWindowBytes = 32;

/**
 * Finds a point of the pinned content in the current one. Takes the steps of `locateRange` for the text on both sides
 * of the point: unchanged and joined; changed, but the words on both sides kept; moved.
 *
 * @param contexts from the start of the context before to the end of the context after.
 */
export function locatePoint(alignment: Alignment, at: number, contexts: ByteRange): FoundMatch {
  const { pinned, content, prefixBytes, suffixBytes, tokens } = alignment;
  const clear = 2 * contextMaxBytes;
  if (at + clear <= prefixBytes || prefixBytes === Math.max(pinned.length, content.length))
    return pointAt(at);
  if (at - clear >= pinned.length - suffixBytes) return pointAt(at + content.length - pinned.length);
  if (tokens === null) return findPointByContexts(pinned, at, contexts, content);

  const joined = findJoinedPoint(tokens, at);
  if (joined.kind !== 'none') return joined;
  const kept = findPointBetweenKept(tokens, at);
  if (kept.kind !== 'none') return kept;
  const window = windowAround(pinned, at);
  const moved = findMovedMatch(alignment, window, 'exact');
  if (moved.kind === 'several') return moved;
  if (moved.kind === 'found') return pointAt(moved.range.start + at - window.start);
  const folded = findMovedMatch(alignment, window, 'folded');
  if (folded.kind === 'several') return folded;
  if (folded.kind === 'found')
    return pointAt(sameFoldedMatch(pinned, window.start, at, content, folded.range.start));
  return touchesUnknown(tokens, at) ? findPointByContexts(pinned, at, contexts, content) : noMatch;
}

function findJoinedPoint(tokens: TokenAlignment, at: number): FoundMatch {
  const { pinned, current } = tokens;
  const sides = sidesOf(tokens, at);
  // From word to word: text written into the gap may also end with a full stop.
  const first = Math.max(nearestWord(tokens, sides.before, -1), 0);
  const last = Math.min(nearestWord(tokens, sides.after, 1), pinned.count - 1);
  if (last < first) return noMatch;
  const joined = findJoinedMatch(
    tokens,
    { start: pinned.starts[first] ?? 0, end: pinned.ends[last] ?? 0 },
    () => true,
  );
  if (joined.kind !== 'found') return joined;
  const shift = tokensTouched(current, joined.range).first - first;
  const match = shiftedRange(
    tokens,
    tokensTouched(pinned, { start: at, end: at }),
    { start: at, end: at },
    shift,
  );
  return pointAt(match.start);
}

/** Both neighbours survive, but text was inserted between them or the nearest mark changed. */
function findPointBetweenKept(tokens: TokenAlignment, at: number): FoundMatch {
  const { pinned, current, toCurrent } = tokens;
  const sides = sidesOf(tokens, at);
  if (sides.before === sides.after) return noMatch;
  const before = nearestWord(tokens, sides.before, -1);
  const after = nearestWord(tokens, sides.after, 1);
  const beforeNow = before < 0 ? -1 : (toCurrent[before] ?? -1);
  const afterNow = after >= pinned.count ? current.count : (toCurrent[after] ?? -1);
  if ((before >= 0 && beforeNow < 0) || afterNow < 0 || afterNow <= beforeNow) return noMatch;
  const immediateAfter = toCurrent[sides.after] ?? -1;
  const immediateBefore = toCurrent[sides.before] ?? -1;
  const touchesAfter = at === (pinned.starts[sides.after] ?? -1);
  const next = immediateBefore >= 0 ? immediateBefore + 1 : immediateAfter >= 0 ? immediateAfter : afterNow;
  const range = touchesAfter ? (immediateAfter >= 0 ? immediateAfter : next) : next - 1;
  const match = touchesAfter ? (current.starts[range] ?? current.bytes.length) : (current.ends[range] ?? 0);
  const then = windowAround(pinned.bytes, at);
  const now = {
    start: Math.max(0, Math.min(match, current.ends[beforeNow] ?? 0) - (at - then.start)),
    end: Math.min(current.bytes.length, Math.max(match, current.starts[afterNow] ?? 0) + (then.end - at)),
  };
  return similarity(pinned.bytes, then, current.bytes, now, similarityMin) > 0 ? pointAt(match) : noMatch;
}

/**
 * Returns the tokens on both sides of a point, the same one twice for a point within it. At the file's edges: -1 and
 * the number of tokens.
 */
function sidesOf(
  { pinned }: TokenAlignment,
  at: number,
): { readonly before: number; readonly after: number } {
  const touched = tokensTouched(pinned, { start: at, end: at });
  return touched.end > touched.first
    ? { before: touched.first, after: touched.first }
    : { before: touched.first - 1, after: touched.first };
}

function nearestWord({ pinned }: TokenAlignment, from: number, step: 1 | -1): number {
  let at = from;
  while (at >= 0 && at < pinned.count && pinned.wordBytes[at] === 0) at += step;
  return at;
}

function touchesUnknown(tokens: TokenAlignment, at: number): boolean {
  const { before, after } = sidesOf(tokens, at);
  return tokens.toCurrent[before] === unknownMatch || tokens.toCurrent[after] === unknownMatch;
}

function findPointByContexts(
  pinned: Uint8Array,
  at: number,
  contexts: ByteRange,
  content: Uint8Array,
): FoundMatch {
  const window = windowAround(pinned, at);
  const found = findMatchWithoutDiff({ bytes: pinned, range: window, withContexts: contexts }, content);
  if (found.kind !== 'found') return found;
  return pointAt(sameFoldedMatch(pinned, window.start, at, content, found.range.start));
}

function windowAround(bytes: Uint8Array, at: number): ByteRange {
  let start = Math.max(0, at - pointWindowBytes);
  let end = Math.min(bytes.length, at + pointWindowBytes);
  while (isInsideCharacter(bytes, start)) start += 1;
  while (isInsideCharacter(bytes, end)) end -= 1;
  return { start, end };
}

function pointAt(at: number): FoundMatch {
  return foundMatch({ start: at, end: at });
}
