import type { ByteRange } from '../anchor.ts';
import { contextMaxBytes } from '../anchoring-limits.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { shiftedRange, type TokenRange, tokensTouched } from '../diff/token-range.ts';
import { type FoundMatch, foundMatch, noMatch, severalMatches } from './found-match.ts';

/** Different shifts that are tried on each side. */
const shiftsMax = 8;

/**
 * Finds the pinned text unchanged *and* still joined to text around it that the diff kept. All words must be the same
 * from the quote to a kept word, within a context's length, or to the file's edge.
 * The path of the diff through equal text does not matter. After a paragraph was doubled, one copy is joined to the
 * text before it and the other to the text after it, and both count.
 * The file's edges count only if no word joins: text added at an end of the file does not become the pinned text.
 *
 * @param isOurs false for a match that is more likely other text, which is skipped.
 * @returns of several joined matches the one with unchanged whole lines; without such a line `several`
 */
export function findJoinedMatch(
  tokens: TokenAlignment,
  range: ByteRange,
  isOurs: (match: ByteRange) => boolean,
): FoundMatch {
  const touched = tokensTouched(tokens.pinned, range);
  const byWords = new Set([...shiftsBefore(tokens, touched, range), ...shiftsAfter(tokens, touched, range)]);
  const shifts = [...(byWords.size > 0 ? byWords : new Set(shiftsAtEdges(tokens, touched, range)))];
  const matches = shifts
    .map((shift) => ({ shift, range: shiftedRange(tokens, touched, range, shift) }))
    .filter((match) => isOurs(match.range));
  const whole =
    matches.length === 1 ? matches : matches.filter(({ shift }) => hasSameLines(tokens, touched, shift));
  const [only] = whole;
  if (only !== undefined && whole.length === 1) return foundMatch(only.range);
  return matches.length === 0 ? noMatch : severalMatches;
}

function* shiftsBefore(tokens: TokenAlignment, touched: TokenRange, range: ByteRange): Generator<number> {
  const { pinned, toCurrent } = tokens;
  const least = range.start - contextMaxBytes;
  const seen = new Set<number>();
  for (
    let at = touched.first - 1;
    at >= 0 && (pinned.ends[at] ?? 0) >= least && seen.size < shiftsMax;
    at -= 1
  ) {
    const shift = (toCurrent[at] ?? -1) - at;
    if (shift + at < 0 || pinned.wordBytes[at] === 0 || seen.has(shift)) continue;
    seen.add(shift);
    if (hasSameTokens(tokens, at, touched.end, shift) && !isOther(tokens, touched, shift)) yield shift;
  }
}

function* shiftsAfter(tokens: TokenAlignment, touched: TokenRange, range: ByteRange): Generator<number> {
  const { pinned, toCurrent } = tokens;
  const most = range.end + contextMaxBytes;
  const seen = new Set<number>();
  for (
    let at = touched.end;
    at < pinned.count && (pinned.starts[at] ?? 0) <= most && seen.size < shiftsMax;
    at += 1
  ) {
    const shift = (toCurrent[at] ?? -1) - at;
    if (shift + at < 0 || pinned.wordBytes[at] === 0 || seen.has(shift)) continue;
    seen.add(shift);
    if (hasSameTokens(tokens, touched.first, at + 1, shift) && !isOther(tokens, touched, shift)) yield shift;
  }
}

function* shiftsAtEdges(tokens: TokenAlignment, touched: TokenRange, range: ByteRange): Generator<number> {
  const { pinned, current } = tokens;
  const isNearStart = tokens.fromFileStart && range.start <= contextMaxBytes;
  if (isNearStart && hasSameTokens(tokens, 0, touched.end, 0)) yield 0;
  const isNearEnd = tokens.toFileEnd && pinned.bytes.length - range.end <= contextMaxBytes;
  const shift = current.count - pinned.count;
  if (isNearEnd && hasSameTokens(tokens, touched.first, pinned.count, shift)) yield shift;
}

function hasSameTokens(
  { pinned, current }: TokenAlignment,
  first: number,
  end: number,
  shift: number,
): boolean {
  if (first + shift < 0 || end + shift > current.count) return false;
  for (let i = first; i < end; i += 1) if (pinned.ids[i] !== current.ids[i + shift]) return false;
  return true;
}

/**
 * True if the diff matched the tokens there with other pinned ones: equal text that was next to ours and still exists.
 */
function isOther({ pinned, toPinned }: TokenAlignment, touched: TokenRange, shift: number): boolean {
  for (let i = touched.first; i < touched.end; i += 1) {
    const from = toPinned[i + shift] ?? -1;
    if ((pinned.wordBytes[i] ?? 0) > 0 && from >= 0 && from !== i) return true;
  }
  return false;
}

function hasSameLines(tokens: TokenAlignment, touched: TokenRange, shift: number): boolean {
  const { pinned, current } = tokens;
  const first = pinned.lineFirst[pinned.lineOf[touched.first] ?? 0] ?? 0;
  const end =
    pinned.lineFirst[(pinned.lineOf[Math.max(touched.first, touched.end - 1)] ?? 0) + 1] ?? pinned.count;
  if (!hasSameTokens(tokens, first, end, shift)) return false;
  const beginsLine = current.lineFirst[current.lineOf[first + shift] ?? 0] === first + shift;
  return beginsLine && current.lineFirst[(current.lineOf[end + shift - 1] ?? 0) + 1] === end + shift;
}
