import { applyTextEdits, changedRanges, mergeTexts, type TextEdit } from '@stoa/core';

/** A difference between both texts that the user must decide. */
export interface Difference {
  /** In the merged text. */
  readonly from: number;
  readonly to: number;
  readonly mine: string;
  readonly theirs: string;
}

export interface Merged {
  /** Everything that does not overlap is merged. Overlaps contain mine. */
  readonly text: string;
  readonly differences: readonly Difference[];
}

/**
 * The merge of two texts with the common `base`, and the differences to decide. Without a base, all differences are to
 * decide.
 */
export function mergeForPerson(base: string | null, mine: string, theirs: string): Merged {
  return base === null ? compared(mine, theirs) : merged(base, mine, theirs);
}

function merged(base: string, mine: string, theirs: string): Merged {
  const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: 'words' });
  return {
    text: applyTextEdits(mine, edits),
    differences: overlaps.map((overlap) => ({
      from: moved(overlap.mine.start, edits),
      to: moved(overlap.mine.end, edits),
      mine: mine.slice(overlap.mine.start, overlap.mine.end),
      theirs: theirs.slice(overlap.theirs.start, overlap.theirs.end),
    })),
  };
}

function moved(at: number, edits: readonly TextEdit[]): number {
  return edits
    .filter(({ end }) => end <= at)
    .reduce((location, { start, end, text }) => location + text.length - (end - start), at);
}

function compared(mine: string, theirs: string): Merged {
  const differences = changedRanges(theirs, mine).map(({ older, newer }) => ({
    from: newer.start,
    to: newer.end,
    mine: mine.slice(newer.start, newer.end),
    theirs: theirs.slice(older.start, older.end),
  }));
  return { text: mine, differences };
}
