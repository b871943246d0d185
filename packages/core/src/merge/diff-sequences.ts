import { dropCommonElements } from './drop-common-elements.ts';
import { markShortestScript } from './mark-shortest-script.ts';
import { settleChanges } from './settle-changes.ts';
import type { Side, StepBudget } from './side.ts';

/** Elements of the base and the elements of a side that replace them; either part may be empty, never both. */
export interface Change {
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly sideStart: number;
  readonly sideEnd: number;
}

/**
 * Compares a side with the base: the fewest deletions and insertions, each change as late as the text allows. Equally
 * short results are chosen as git does, because these borders decide what merges cleanly.
 */
export function diffSequences(
  base: Int32Array,
  side: Int32Array,
  idCount: number,
  budget: StepBudget,
): readonly Change[] {
  const left: Side = { ids: base, changed: new Uint8Array(base.length) };
  const right: Side = { ids: side, changed: new Uint8Array(side.length) };
  const most = Math.min(base.length, side.length);
  let prefix = 0;
  while (prefix < most && base[prefix] === side[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < most - prefix && base[base.length - 1 - suffix] === side[side.length - 1 - suffix])
    suffix += 1;
  const leftCandidates = dropCommonElements(left, right.ids, idCount, prefix, base.length - suffix);
  const rightCandidates = dropCommonElements(right, left.ids, idCount, prefix, side.length - suffix);
  markShortestScript(left, leftCandidates, right, rightCandidates, budget);
  settleChanges(left, right, budget);
  settleChanges(right, left, budget);
  return listChanges(left.changed, right.changed);
}

function listChanges(left: Uint8Array, right: Uint8Array): readonly Change[] {
  const changes: Change[] = [];
  let baseEnd = 0;
  let sideEnd = 0;
  while (baseEnd < left.length || sideEnd < right.length) {
    const baseStart = baseEnd;
    const sideStart = sideEnd;
    while (left[baseEnd] === 1) baseEnd += 1;
    while (right[sideEnd] === 1) sideEnd += 1;
    if (baseEnd > baseStart || sideEnd > sideStart) changes.push({ baseStart, baseEnd, sideStart, sideEnd });
    else {
      baseEnd += 1;
      sideEnd += 1;
    }
  }
  return changes;
}
