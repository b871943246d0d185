import { type Difference, type Merged, mergeForPerson } from './differences.ts';
import { goOnMerging } from './go-on-merging.ts';

/** What somebody brought together and has not saved, with the two texts that it was made of. */
export interface UnsavedMerge {
  readonly merged: string;
  readonly differences: readonly Difference[];
  readonly mine: string;
  readonly theirs: string;
}

/** More than one person merges in a sitting. The oldest goes: what it was made of is in a file, a copy or a draft. */
const mergesMax = 20;
const unsaved = new Map<string, UnsavedMerge>();

/** Escape and Cancel lose no decision: the dialog goes on where it was left, for as long as the page is open. */
export function keepMerge(key: string, merge: UnsavedMerge): void {
  unsaved.delete(key);
  unsaved.set(key, merge);
  const [oldest] = unsaved.keys();
  if (unsaved.size > mergesMax && oldest !== undefined) unsaved.delete(oldest);
}

export function dropMerge(key: string): void {
  unsaved.delete(key);
}

/** What the dialog begins with: what was left, brought together with what either side has become since. */
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
