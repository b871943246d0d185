import { contextMaxBytes, quoteMaxBytes } from '@stoa/core';
import { inlineNames, isText, type ReadingNode, type ReadingText } from '@stoa/markdown/tree';
import { utf8Bytes } from '../text/byte-offsets.ts';

/** A position in the rendered text: a block, and the number of units of its text before the position. */
export interface ShownLocation {
  readonly block: number;
  readonly unit: number;
}

export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The smallest range of the source that covers the rendered text between two positions. It includes the markers of
 * fully covered inline elements. Null if the source has nothing between them. UTF-16 units.
 */
export function selectedSource(
  blocks: readonly ReadingNode[],
  from: ShownLocation,
  to: ShownLocation,
): SourceRange | null {
  let range: SourceRange | null = null;
  for (let at = from.block; at <= to.block; at += 1) {
    const block = blocks[at];
    if (block === undefined) continue;
    const first = at === from.block ? from.unit : 0;
    const last = at === to.block ? to.unit : Number.POSITIVE_INFINITY;
    range = joined(range, coveredSource(block, { first, last, before: 0 }).range);
  }
  return range;
}

interface Covered {
  readonly range: SourceRange | null;
  /** Units of rendered text in it. */
  readonly units: number;
}

function coveredSource(
  node: ReadingNode,
  { first, last, before }: { readonly first: number; readonly last: number; readonly before: number },
): Covered {
  if (isText(node)) {
    const range = sourceOfText(node, first - before, last - before);
    return { range, units: node.text.length };
  }
  let units = 0;
  let range: SourceRange | null = null;
  for (const child of node.children) {
    const covered = coveredSource(child, { first, last, before: before + units });
    units += covered.units;
    range = joined(range, covered.range);
  }
  const isWhole = range !== null && first <= before && last >= before + units;
  if (isWhole && inlineNames.has(node.name)) range = joined(range, node);
  return { range, units };
}

/** The source range of the units `first` to `last` of a text. */
function sourceOfText({ ranges: chunks }: ReadingText, first: number, last: number): SourceRange | null {
  let range: SourceRange | null = null;
  let at = 0;
  for (let chunk = 0; chunk < chunks.length; chunk += 3) {
    const [units = 0, start = 0, end = 0] = chunks.slice(chunk, chunk + 3);
    const low = Math.max(first, at);
    const high = Math.min(last, at + units);
    if (low < high) {
      const isVerbatim = end - start === units;
      range = joined(
        range,
        isVerbatim ? { start: start + low - at, end: start + high - at } : { start, end },
      );
    }
    at += units;
  }
  return range;
}

function joined(a: SourceRange | null, b: SourceRange | null): SourceRange | null {
  if (a === null || b === null) return a ?? b;
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The anchor of a new thread (interface: comments, Start a thread). */
export type SelectedQuote =
  | {
      readonly kind: 'quote';
      readonly quote: string;
      readonly contextBefore: string;
      readonly contextAfter: string;
      /** From 1, over the whole file. */
      readonly occurrence: number;
    }
  /** Above 4 KiB. */
  | { readonly kind: 'too_large' };

export function quoteOf(source: string, { start, end }: SourceRange): SelectedQuote {
  const quote = source.slice(start, end);
  if (utf8Bytes(quote) > quoteMaxBytes) return { kind: 'too_large' };
  return {
    kind: 'quote',
    quote,
    contextBefore: lastBytes(source.slice(Math.max(0, start - contextMaxBytes), start)),
    contextAfter: firstBytes(source.slice(end, end + contextMaxBytes)),
    occurrence: occurrenceOf(source, quote, start),
  };
}

/** As many whole characters as fit into a context. */
function firstBytes(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > contextMaxBytes || !character.isWellFormed()) break;
    kept += character;
  }
  return kept;
}

function lastBytes(text: string): string {
  let bytes = 0;
  let kept = 0;
  const characters = [...text];
  for (const character of characters.toReversed()) {
    bytes += utf8Bytes(character);
    if (bytes > contextMaxBytes || !character.isWellFormed()) break;
    kept += 1;
  }
  return characters.slice(characters.length - kept).join('');
}

/**
 * The number of the match of `quote` at `start`, counted from 1 as the server counts, including overlapping matches.
 * Knuth-Morris-Pratt: linear, however repetitive the text is.
 */
function occurrenceOf(source: string, quote: string, start: number): number {
  const borders = new Int32Array(quote.length);
  for (let at = 1, matched = 0; at < quote.length; at += 1) {
    while (matched > 0 && quote[at] !== quote[matched]) matched = borders[matched - 1] ?? 0;
    if (quote[at] === quote[matched]) matched += 1;
    borders[at] = matched;
  }
  let found = 0;
  for (let at = 0, matched = 0; at < start + quote.length; at += 1) {
    while (matched > 0 && source[at] !== quote[matched]) matched = borders[matched - 1] ?? 0;
    if (source[at] === quote[matched]) matched += 1;
    if (matched < quote.length) continue;
    found += 1;
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}
