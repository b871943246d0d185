import { diffSequences } from './diff-sequences.ts';
import { type ChangedPart, mergeChanges } from './merge-changes.ts';
import { mergeStepsMax, wordRegionMax } from './merge-limits.ts';
import { type Chunks, type ChunkTable, readLines, readWords } from './read-chunks.ts';
import type { StepBudget } from './side.ts';
import { type TextEdit, type TextRange, trimmedEdit } from './text-edit.ts';

export interface MergeOptions {
  /**
   * `lines`: changes of two sides merge if there is an unchanged line between them, as in git. `words`: closer changes
   * also merge if there is an unchanged word between them.
   */
  readonly within: 'lines' | 'words';
}

/** Whole lines that both sides changed differently. Ranges are UTF-16 units of the three texts. */
export interface TextOverlap {
  readonly base: TextRange;
  readonly mine: TextRange;
  readonly theirs: TextRange;
}

export interface TextMerge {
  /** Edits that add the changes of `theirs` alone to `mine`. In order, without touching each other or an overlap. */
  readonly edits: readonly TextEdit[];
  /** Empty if the merge is clean. */
  readonly overlaps: readonly TextOverlap[];
}

/**
 * Merges two texts that were both made from `base`. Equal changes of both sides stay as they are in `mine`. At an
 * overlap `mine` stays, and the result lists the overlap. See docs/merging.md for the rule, with examples and limits.
 */
export function mergeTexts(base: string, mine: string, theirs: string, { within }: MergeOptions): TextMerge {
  const edits: TextEdit[] = [];
  const overlaps: TextOverlap[] = [];
  if (mine === theirs || base === theirs) return { edits, overlaps };
  const texts: Texts = { base, mine, theirs };
  const budgets = fullBudgets();
  // Changes of `theirs` alone are compared by words here, but not with the sides exchanged. They have their own budget,
  // so that this does not affect the other comparisons.
  const ownBudgets = fullBudgets();
  for (const part of changedParts(texts, readLines, () => true, budgets)) {
    if (!part.theirsChanged) continue;
    const wordBudgets = part.mineChanged ? budgets : ownBudgets;
    const merged = within === 'words' ? mergeWords(texts, part, wordBudgets) : null;
    if (merged !== null) for (const edit of merged) edits.push(edit);
    else if (!part.mineChanged) edits.push(trimmedEdit(mine, part.mine, cut(theirs, part.theirs)));
    else if (cut(mine, part.mine) !== cut(theirs, part.theirs))
      overlaps.push({ base: part.base, mine: part.mine, theirs: part.theirs });
  }
  return { edits, overlaps };
}

interface Texts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** One for each side, so that a merge with the sides exchanged ends in the same text. */
interface Budgets {
  readonly mine: StepBudget;
  readonly theirs: StepBudget;
}

function fullBudgets(): Budgets {
  return { mine: { left: mergeStepsMax }, theirs: { left: mergeStepsMax } };
}

/** The parts that at least one side changed, in UTF-16 units. */
function changedParts(
  texts: Texts,
  read: (text: string, table: ChunkTable) => Chunks,
  isSeparated: (from: number, to: number, base: Chunks) => boolean,
  budgets: Budgets,
): readonly ChangedPart[] {
  const table: ChunkTable = new Map();
  const base = read(texts.base, table);
  const mine = read(texts.mine, table);
  const theirs = read(texts.theirs, table);
  const mineChanges = diffSequences(base.ids, mine.ids, table.size, budgets.mine);
  const theirsChanges = diffSequences(base.ids, theirs.ids, table.size, budgets.theirs);
  const parts = mergeChanges(mineChanges, theirsChanges, (from, to) => isSeparated(from, to, base));
  return parts.map((part) => ({
    ...part,
    base: unitRange(base, part.base),
    mine: unitRange(mine, part.mine),
    theirs: unitRange(theirs, part.theirs),
  }));
}

/** Returns the edits within one part, or null if its sides do not merge by words. */
function mergeWords(texts: Texts, part: ChangedPart, budgets: Budgets): readonly TextEdit[] | null {
  const inner: Texts = {
    base: cut(texts.base, part.base),
    mine: cut(texts.mine, part.mine),
    theirs: cut(texts.theirs, part.theirs),
  };
  if (Math.max(inner.base.length, inner.mine.length, inner.theirs.length) > wordRegionMax) return null;
  if (inner.mine === inner.theirs) return [];
  const edits: TextEdit[] = [];
  for (const words of changedParts(inner, readWords, hasWordBetween, budgets)) {
    if (!words.theirsChanged) continue;
    const replacement = cut(inner.theirs, words.theirs);
    if (words.mineChanged) {
      if (cut(inner.mine, words.mine) === replacement) continue;
      return null;
    }
    const start = part.mine.start + words.mine.start;
    edits.push(trimmedEdit(texts.mine, { start, end: part.mine.start + words.mine.end }, replacement));
  }
  return edits;
}

function hasWordBetween(from: number, to: number, base: Chunks): boolean {
  return (base.wordsBefore[to] ?? 0) > (base.wordsBefore[from] ?? 0);
}

function unitRange({ starts }: Chunks, { start, end }: TextRange): TextRange {
  return { start: starts[start] ?? 0, end: starts[end] ?? 0 };
}

function cut(text: string, { start, end }: TextRange): string {
  return text.slice(start, end);
}
