import type { ReadingText } from '@stoa/markdown/tree';
import type { SourceRange } from './quote-selection.ts';

/** A range of the source that is highlighted in the rendered text. */
export interface Passage extends SourceRange {
  readonly id: string;
}

export interface MarkedPart {
  readonly text: string;
  /** The passages that cover it. */
  readonly passages: readonly string[];
  /** The passages that start with it. */
  readonly begins: readonly string[];
}

/**
 * Splits a shown text into parts, each covered by the same passages throughout. A passage starts in the first text that
 * shows part of it; `begun` keeps these passages across texts.
 */
export function markedParts(
  { text, ranges: chunks }: ReadingText,
  passages: readonly Passage[],
  begun: Set<string>,
): readonly MarkedPart[] {
  const covered: { readonly first: number; readonly last: number; readonly id: string }[] = [];
  let at = 0;
  for (let chunk = 0; chunk < chunks.length; chunk += 3) {
    const [units = 0, start = 0, end = 0] = chunks.slice(chunk, chunk + 3);
    for (const passage of passages) {
      if (passage.start >= end || passage.end <= start) continue;
      const isVerbatim = end - start === units;
      const first = isVerbatim ? at + Math.max(0, passage.start - start) : at;
      const last = isVerbatim ? at + Math.min(units, passage.end - start) : at + units;
      covered.push({ first, last, id: passage.id });
    }
    at += units;
  }
  if (covered.length === 0) return [{ text, passages: [], begins: [] }];

  const cuts = covered.flatMap(({ first, last }) => [first, last]);
  const edges = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
  const parts: MarkedPart[] = [];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = edges[index + 1] ?? text.length;
    const ids = [
      ...new Set(covered.filter(({ first, last }) => first <= from && last >= to).map(({ id }) => id)),
    ];
    const begins = ids.filter((id) => !begun.has(id));
    for (const id of begins) begun.add(id);
    const before = parts.at(-1);
    if (before !== undefined && begins.length === 0 && sameIds(before.passages, ids)) {
      parts[parts.length - 1] = { ...before, text: before.text + text.slice(from, to) };
    } else parts.push({ text: text.slice(from, to), passages: ids, begins });
  }
  return parts;
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}
