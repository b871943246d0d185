import type { Side, StepBudget } from './side.ts';

/**
 * In repeated text, the same change can be at several positions: either of two equal lines may be the new one. Moves
 * each change of this side to the last position where it meets a change of the other side, so that a replacement is one
 * change. If it meets none, moves it down as far as possible. Changes that touch on the way become one.
 */
export function settleChanges(here: Side, there: Side, budget: StepBudget): void {
  const { ids, changed } = here;
  const size = ids.length;
  // By number of preceding unchanged elements: 1 if the other side has a change there.
  const meets = changeByGap(there.changed);
  let gap = 0;
  for (let start = 0; start < size; start += 1, gap += 1) {
    let end = start;
    while (end < size && changed[end] === 1) end += 1;
    if (end === start) continue;
    const stepUp = (): void => {
      start -= 1;
      end -= 1;
      gap -= 1;
      budget.left -= 1;
      changed[start] = 1;
      changed[end] = 0;
      while (start > 0 && changed[start - 1] === 1) start -= 1;
    };
    let highestEnd: number;
    let isMet: boolean;
    let sizeBefore: number;
    do {
      sizeBefore = end - start;
      while (start > 0 && ids[start - 1] === ids[end - 1] && budget.left > 0) stepUp();
      highestEnd = end;
      isMet = meets[gap] === 1;
      while (end < size && ids[start] === ids[end] && budget.left > 0) {
        changed[start] = 0;
        changed[end] = 1;
        start += 1;
        end += 1;
        gap += 1;
        budget.left -= 1;
        while (end < size && changed[end] === 1) end += 1;
        isMet ||= meets[gap] === 1;
      }
    } while (end - start !== sizeBefore);
    if (end !== highestEnd && isMet) while (meets[gap] !== 1) stepUp();
    start = end;
  }
}

function changeByGap(changed: Uint8Array): Uint8Array {
  const meets = new Uint8Array(changed.length + 1);
  let gap = 0;
  for (const each of changed) {
    if (each === 1) meets[gap] = 1;
    else gap += 1;
  }
  return meets;
}
