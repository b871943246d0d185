import type { WrittenLinesRecord } from '@stoa/contract';
import { changedRanges } from '@stoa/core';

/**
 * The author of a line: a version of the file, a change whose version is not looked up yet, or an unsaved local edit.
 */
export type Writer =
  | { readonly kind: 'version'; readonly record: WrittenLinesRecord }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'unsaved' };

export const arrived: Writer = { kind: 'arrived' };
export const unsaved: Writer = { kind: 'unsaved' };

/** Consecutive lines by one author. Lines count from 1; both ends are included. */
export interface WriterRange {
  readonly from: number;
  readonly to: number;
  readonly writer: Writer;
}

/**
 * The author of each line of the examined text; null if the response is for a text with a different number of lines.
 */
export function lineWriters(lines: readonly WrittenLinesRecord[], text: string): readonly Writer[] | null {
  const writers: Writer[] = [];
  for (const record of lines) {
    const writer: Writer = { kind: 'version', record };
    for (let line = record.from; line <= record.to; line += 1) writers.push(writer);
  }
  return writers.length === countLines(text) ? writers : null;
}

/** Maps authors to a changed text. Lines that it did not have before get `newer`. */
export function shiftWriters(
  before: string,
  writers: readonly Writer[],
  after: string,
  newer: Writer,
): readonly Writer[] {
  if (before === after) return writers;
  const transferred: Writer[] = [];
  let line = 0;
  let at = 0;
  const keep = (end: number): void => {
    for (let left = countLines(after.slice(at, end)); left > 0; left -= 1) {
      transferred.push(writers[line] ?? newer);
      line += 1;
    }
  };
  for (const change of changedRanges(before, after)) {
    keep(change.newer.start);
    line += countLines(before.slice(change.older.start, change.older.end));
    const added = countLines(after.slice(change.newer.start, change.newer.end));
    for (let left = added; left > 0; left -= 1) transferred.push(newer);
    at = change.newer.end;
  }
  keep(after.length);
  return transferred;
}

/** The ranges of the lines `from` to `to`. */
export function writerRanges(
  writers: readonly Writer[],
  from = 1,
  to = writers.length,
): readonly WriterRange[] {
  const ranges: WriterRange[] = [];
  for (let line = from; line <= Math.min(to, writers.length); line += 1) {
    const writer = writers[line - 1];
    if (writer === undefined) break;
    const last = ranges.at(-1);
    if (last !== undefined && isSameWriter(last.writer, writer))
      ranges[ranges.length - 1] = { ...last, to: line };
    else ranges.push({ from: line, to: line, writer });
  }
  return ranges;
}

/**
 * The ranges next to each block of a text, by the block's number. Omits a block whose only author was already named by
 * the previous block.
 * @param places in UTF-16 units, in order
 */
export function rangesOfMatches(
  text: string,
  writers: readonly Writer[],
  matches: readonly { readonly start: number; readonly end: number }[],
): ReadonlyMap<number, readonly WriterRange[]> {
  const starts = lineStarts(text);
  const alongside = new Map<number, readonly WriterRange[]>();
  let named: Writer | null = null;
  for (const [index, { start, end }] of matches.entries()) {
    const last = Math.max(start, text[end - 1] === '\n' ? end - 2 : end - 1);
    const ranges = writerRanges(writers, lineAt(starts, start), lineAt(starts, last));
    const [first] = ranges;
    if (first === undefined) continue;
    if (ranges.length > 1 || named === null || !isSameWriter(named, first.writer))
      alongside.set(index, ranges);
    named = ranges.length === 1 ? first.writer : null;
  }
  return alongside;
}

/** The newest author of some ranges, as a short label for all of them. */
export function newestWriter(ranges: readonly WriterRange[]): Writer | null {
  const ages = { unsaved: 2, arrived: 1, version: 0 };
  let newest: Writer | null = null;
  for (const { writer } of ranges) {
    if (newest === null || ages[writer.kind] > ages[newest.kind]) newest = writer;
    else if (newest.kind === 'version' && writer.kind === 'version') {
      if (writer.record.createdAt > newest.record.createdAt) newest = writer;
    }
  }
  return newest;
}

function isSameWriter(one: Writer, other: Writer): boolean {
  if (one.kind !== 'version' || other.kind !== 'version') return one.kind === other.kind;
  const [a, b] = [one.record, other.record];
  return a.version === b.version && a.createdAt === b.createdAt && a.movedFrom === b.movedFrom;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** From 1. */
function lineAt(starts: readonly number[], unit: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Counts lines as the server does: a last line without a line end counts. */
function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}
