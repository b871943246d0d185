import { type Difference, type Merged, mergeForPerson } from './differences.ts';
import { goOnMerging } from './go-on-merging.ts';

/** An unsaved merge of the user, with its two source texts. */
export interface UnsavedMerge {
  readonly merged: string;
  readonly differences: readonly Difference[];
  readonly mine: string;
  readonly theirs: string;
}

/** More than a user merges in one session. The oldest is dropped; its texts are in a file, a copy or a draft. */
const mergesMax = 20;
const unsaved = new Map<string, UnsavedMerge>();

/** Keeps a merge while the page is open: after Escape or Cancel the dialog resumes it. */
export function keepMerge(key: string, merge: UnsavedMerge): void {
  unsaved.delete(key);
  unsaved.set(key, merge);
  const [oldest] = unsaved.keys();
  if (unsaved.size > mergesMax && oldest !== undefined) unsaved.delete(oldest);
}

export function dropMerge(key: string): void {
  unsaved.delete(key);
}

/** The initial state of the dialog: the kept merge, updated with later changes of both sides. */
export function beginMerge(key: string, base: string | null, mine: string, theirs: string): Merged {
  const left = unsaved.get(key);
  return left === undefined ? mergeForPerson(base, mine, theirs) : goOnWith(left, mine, theirs);
}

export function goOnWith(left: UnsavedMerge, mine: string, theirs: string): Merged {
  let merged: Merged = { text: left.merged, differences: left.differences };
  if (left.mine !== mine) merged = goOnMerging(merged, 'mine', left.mine, mine);
  if (left.theirs !== theirs) merged = goOnMerging(merged, 'theirs', left.theirs, theirs);
  return merged;
}
