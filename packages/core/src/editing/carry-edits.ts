import type { ByteRange } from '../anchoring/anchor.ts';
import { alignContents, type TokenAlignment } from '../anchoring/diff/alignment.ts';
import { shiftedRange, tokensTouched } from '../anchoring/diff/token-range.ts';
import { decodeText, encodeText } from '../anchoring/text/utf8.ts';
import { mergeTexts } from '../merge/merge-texts.ts';
import { applyTextEdits, type TextEdit, type TextRange } from '../merge/text-edit.ts';
import type { LocatedEdit } from './locate-edits.ts';

export type CarriedEdits =
  /** Edits of `current`, in order and without overlap. */
  | { readonly kind: 'carried'; readonly edits: readonly TextEdit[] }
  /** The text of a wanted edit was changed; `range` is what stands in its place now. */
  | { readonly kind: 'text_changed'; readonly edit: number; readonly range: TextRange };

/**
 * Carries edits of `base` over to `current`, which others made of the same base. Where git's three-way merge of the two by
 * lines is clean, its outcome is the outcome. Else an edit is carried over when the text that it replaces is still there as
 * it was, joined to what stood around it, although the next line was changed. One whose result is there already is done.
 */
export function carryEdits(base: string, located: readonly LocatedEdit[], current: string): CarriedEdits {
  if (base === current) return { kind: 'carried', edits: located };
  const whole = mergeTexts(base, current, applyTextEdits(base, located), { within: 'lines' });
  if (whole.overlaps.length === 0) return { kind: 'carried', edits: whole.edits };
  const kept = keptPlaces(base, located, current);
  const edits: TextEdit[] = [];
  const merged: LocatedEdit[] = [];
  for (const [i, each] of located.entries()) {
    const place = kept[i] ?? null;
    if (place !== null) edits.push({ ...place, text: each.text });
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

/** By edit: where its text still stands in `current`, null where it was changed or cannot be told from other text. */
function keptPlaces(
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
    let place: TextRange | null = null;
    if (range.end <= prefixBytes) place = range;
    else if (range.start >= pinned.length - suffixBytes) {
      const shift = content.length - pinned.length;
      place = { start: range.start + shift, end: range.end + shift };
    } else if (tokens !== null) place = placeByTokens(tokens, range);
    if (place === null || !hasSameBytes(pinned, range, content, place)) return null;
    return { start: toUnits(place.start), end: toUnits(place.end) };
  });
}

/** Where all words of a range still stand side by side; of white space alone, the words on both sides of it. */
function placeByTokens(tokens: TokenAlignment, range: ByteRange): ByteRange | null {
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

/** Sizes of the beginnings of a text in another measure: each place is counted from the one that was asked for before. */
function runningSum(sizeBetween: (from: number, to: number) => number): (at: number) => number {
  let known = 0;
  let sum = 0;
  return (at) => {
    sum = at >= known ? sum + sizeBetween(known, at) : sizeBetween(0, at);
    known = at;
    return sum;
  };
}

/** Whether somebody made the same edit already: merged word by word, it brings nothing that is not there. */
function isDone(base: string, edit: LocatedEdit, current: string): boolean {
  const merge = mergeTexts(base, current, applyTextEdits(base, [edit]), { within: 'words' });
  return merge.overlaps.length + merge.edits.length === 0;
}
