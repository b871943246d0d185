import { diffSequences } from './diff-sequences.ts';
import { mergeStepsMax } from './merge-limits.ts';
import { type ChunkTable, readLines } from './read-chunks.ts';
import type { StepBudget } from './side.ts';
import type { TextRange } from './text-edit.ts';

/** Whole lines of one text that replace whole lines of the other, in UTF-16 units; either may be empty, never both. */
export interface ChangedRange {
  readonly older: TextRange;
  readonly newer: TextRange;
}

/**
 * Returns the differences of two texts, by whole lines and with the same borders as a merge. In order, without touching
 * each other.
 * @param budget may serve several comparisons. When it is spent, borders become coarser.
 */
export function changedRanges(
  older: string,
  newer: string,
  budget: StepBudget = { left: mergeStepsMax },
): readonly ChangedRange[] {
  if (older === newer) return [];
  const table: ChunkTable = new Map();
  const left = readLines(older, table);
  const right = readLines(newer, table);
  const unit = (starts: Int32Array, chunk: number) => starts[chunk] ?? 0;
  return diffSequences(left.ids, right.ids, table.size, budget).map((change) => ({
    older: { start: unit(left.starts, change.baseStart), end: unit(left.starts, change.baseEnd) },
    newer: { start: unit(right.starts, change.sideStart), end: unit(right.starts, change.sideEnd) },
  }));
}
