import { changedRanges } from '@stoa/core';

/** A part of a line that the other version lacks, in UTF-16 units. */
export interface Mark {
  readonly start: number;
  readonly end: number;
}

/** The differing parts of a line; null for a line without a counterpart. */
export interface MarkedLine {
  readonly marks: readonly Mark[] | null;
}

export interface MarkedLines {
  readonly removed: readonly MarkedLine[];
  readonly added: readonly MarkedLine[];
}

/** Limits: longer lines, and changes with more pairs of lines, get no marks. */
const charactersMax = 2000;
const pairsMax = 400;
/** Two lines count as the same line, changed, if they share this part of the longer one's words. */
const sharedMin = 0.5;

const word = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Pairs removed lines with their changed versions, in order, and marks the words that differ. */
export function markWords(removed: readonly string[], added: readonly string[]): MarkedLines {
  const marked = { removed: removed.map(unmarked), added: added.map(unmarked) };
  if (removed.length * added.length > pairsMax) return marked;
  const words = (line: string) => (line.length > charactersMax ? null : (line.match(word) ?? []));
  const [before, after] = [removed.map(words), added.map(words)];
  let next = 0;
  before.forEach((older, at) => {
    if (older === null) return;
    const to = after.findIndex((newer, other) => other >= next && newer !== null && areAlike(older, newer));
    const newer = after[to];
    if (newer === undefined || newer === null) return;
    const ranges = changedRanges(older.join('\n'), newer.join('\n'));
    marked.removed[at] = {
      marks: marksOf(
        older,
        ranges.map((range) => range.older),
      ),
    };
    marked.added[to] = {
      marks: marksOf(
        newer,
        ranges.map((range) => range.newer),
      ),
    };
    next = to + 1;
  });
  return marked;
}

const unmarked = (): MarkedLine => ({ marks: null });

/** Compares the words of both lines as multisets. */
function areAlike(older: readonly string[], newer: readonly string[]): boolean {
  const left = new Map<string, number>();
  const counts = (each: string) => /[\p{L}\p{N}]/u.test(each);
  const [mine, theirs] = [older.filter(counts), newer.filter(counts)];
  for (const each of mine) left.set(each, (left.get(each) ?? 0) + 1);
  let shared = 0;
  for (const each of theirs) {
    const count = left.get(each) ?? 0;
    if (count === 0) continue;
    left.set(each, count - 1);
    shared += 1;
  }
  return shared > 0 && shared >= Math.max(mine.length, theirs.length) * sharedMin;
}

/** Maps offsets in the words, each followed by a line break, to offsets in the line. */
function marksOf(words: readonly string[], ranges: readonly Mark[]): readonly Mark[] {
  const locations = new Map<number, number>([[0, 0]]);
  let [joined, at] = [0, 0];
  for (const each of words) {
    joined += each.length + 1;
    at += each.length;
    locations.set(joined, at);
    // The last one has no line break.
    locations.set(joined - 1, at);
  }
  return ranges.flatMap(({ start, end }) => {
    const [from, to] = [locations.get(start) ?? 0, locations.get(end) ?? at];
    return from < to ? [{ start: from, end: to }] : [];
  });
}
