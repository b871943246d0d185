import type { ByteRange } from '../anchoring/anchor.ts';
import { alignContents, type TokenAlignment } from '../anchoring/diff/alignment.ts';
import { shiftedRange, tokensTouched } from '../anchoring/diff/token-range.ts';
import { decodeText, encodeText } from '../anchoring/text/utf8.ts';
import { mergeTexts } from '../merge/merge-texts.ts';
import { applyTextEdits, type TextEdit, type TextRange } from '../merge/text-edit.ts';
import type { LocatedEdit } from './locate-edits.ts';

export type RebasedEdits =
  /** Edits of `current`, in order and without overlap. */
  | { readonly kind: 'carried'; readonly edits: readonly TextEdit[] }
  /** The text of a wanted edit was changed; `range` is the text there now. */
  | { readonly kind: 'text_changed'; readonly edit: number; readonly range: TextRange };

/**
 * Rebases edits of `base` onto `current`, which other users made from the same base. If git's three-way merge of the
 * two by lines is clean, that is the result.
 * Otherwise an edit applies if the text it replaces is unchanged and still joined to the text around it, even if the
 * next line was changed. An edit whose result already exists is done.
 */
export function rebaseEdits(base: string, located: readonly LocatedEdit[], current: string): RebasedEdits {
  if (base === current) return { kind: 'carried', edits: located };
  const whole = mergeTexts(base, current, applyTextEdits(base, located), { within: 'lines' });
  if (whole.overlaps.length === 0) return { kind: 'carried', edits: whole.edits };
  const kept = keptMatches(base, located, current);
  const edits: TextEdit[] = [];
  const merged: LocatedEdit[] = [];
  for (const [i, each] of located.entries()) {
    const match = kept[i] ?? null;
    if (match !== null) edits.push({ ...match, text: each.text });
    else if (!isDone(base, each, current)) merged.push(each);
  }
  if (merged.length > 0) {
    const rest = mergeTexts(base, current, applyTextEdits(base, merged), { within: 'lines' });
    const [overlap] = rest.overlaps;
    if (overlap !== undefined) {
      const first = merged.find(({ start, end }) => start <= overlap.base.end && end >= overlap.base.start);
      return { kind: 'text_changed', edit: first?.edit ?? merged[0]?.edit ?? 1, range: overlap.mine };
    }
    edits.push(...rest.edits);
  }
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [i, each] of edits.entries()) {
    const next = edits[i + 1];
    if (next !== undefined && next.start < each.end)
      return {
        kind: 'text_changed',
        edit: merged[0]?.edit ?? 1,
        range: { start: each.start, end: next.end },
      };
  }
  return { kind: 'carried', edits };
}

/**
 * By edit: the present range of its text in `current`. Null if the text was changed or cannot be distinguished from
 * other text.
 */
function keptMatches(
  base: string,
  located: readonly LocatedEdit[],
  current: string,
): readonly (TextRange | null)[] {
  const pinned = encodeText(base);
  const content = encodeText(current);
  const alignment = alignContents(pinned, content);
  const { prefixBytes, suffixBytes, tokens } = alignment;
  const toBytes = runningSum((from, to) => encodeText(base.slice(from, to)).length);
  const toUnits = runningSum((from, to) => decodeText(content, from, to).length);
  return located.map(({ start, end }) => {
    const range = { start: toBytes(start), end: toBytes(end) };
    let match: TextRange | null = null;
    if (range.end <= prefixBytes) match = range;
    else if (range.start >= pinned.length - suffixBytes) {
      const shift = content.length - pinned.length;
      match = { start: range.start + shift, end: range.end + shift };
    } else if (tokens !== null) match = matchByTokens(tokens, range);
    if (match === null || !hasSameBytes(pinned, range, content, match)) return null;
    return { start: toUnits(match.start), end: toUnits(match.end) };
  });
}

/**
 * Returns the present range if all words of a range are still contiguous; for white space alone, the words on both
 * sides of it.
 */
function matchByTokens(tokens: TokenAlignment, range: ByteRange): ByteRange | null {
  const touched = tokensTouched(tokens.pinned, range);
  const isBlank = touched.first === touched.end;
  const first = isBlank ? touched.first - 1 : touched.first;
  const end = isBlank ? touched.end + 1 : touched.end;
  const shift = (tokens.toCurrent[first] ?? -1) - first;
  if (first < 0 || end > tokens.pinned.count || first + shift < 0) return null;
  for (let i = first; i < end; i += 1) if (tokens.toCurrent[i] !== i + shift) return null;
  return shiftedRange(tokens, touched, range, shift);
}

function hasSameBytes(a: Uint8Array, aRange: ByteRange, b: Uint8Array, bRange: ByteRange): boolean {
  const size = aRange.end - aRange.start;
  if (bRange.end - bRange.start !== size) return false;
  for (let i = 0; i < size; i += 1) if (a[aRange.start + i] !== b[bRange.start + i]) return false;
  return true;
}

/** Converts positions of a text into another unit. Each conversion counts on from the one before. */
function runningSum(sizeBetween: (from: number, to: number) => number): (at: number) => number {
  let known = 0;
  let sum = 0;
  return (at) => {
    sum = at >= known ? sum + sizeBetween(known, at) : sizeBetween(0, at);
    known = at;
    return sum;
  };
}

/** Whether another user has already made the same edit: merged by words, it changes nothing. */
function isDone(base: string, edit: LocatedEdit, current: string): boolean {
  const merge = mergeTexts(base, current, applyTextEdits(base, [edit]), { within: 'words' });
  return merge.overlaps.length + merge.edits.length === 0;
}
