import type { StepBudget } from '../../merge/side.ts';
import type { Tokens } from '../text/tokens.ts';
import { pair, type SequenceMatch, unmatched } from './sequence-match.ts';

/** The greatest distance that a change is slid, in tokens to each side. */
const slideMax = 512;

/**
 * In repeated text, a deletion or an insertion can be at several positions with the same outcome. If two statements
 * begin alike, either the first was deleted, or the end of the first and the beginning of the second. People write and
 * delete whole statements, lines and paragraphs, so each change is slid to the position whose two ends look most like
 * that.
 */
export function slideChanges(match: SequenceMatch, left: Tokens, right: Tokens, budget: StepBudget): void {
  slideWithin(match.toRight, match.toLeft, left, budget, (a, b) => pair(match, a, b));
  slideWithin(match.toLeft, match.toRight, right, budget, (b, a) => pair(match, a, b));
}

/** Slides the changes of one side: runs of unmatched tokens that have no counterpart on the other side. */
function slideWithin(
  here: Int32Array,
  there: Int32Array,
  tokens: Tokens,
  budget: StepBudget,
  pairUp: (here: number, there: number) => void,
): void {
  const { ids, count } = tokens;
  for (let start = 0; start < count; start += 1) {
    if (here[start] !== unmatched) continue;
    let end = start;
    while (end < count && here[end] === unmatched) end += 1;
    const next = end;
    const before = start === 0 ? -1 : (here[start - 1] ?? -1);
    const after = end === count ? there.length : (here[end] ?? -1);
    if (before < -1 || (start > 0 && before < 0) || after !== before + 1) {
      start = end;
      continue;
    }
    let best = 0;
    let bestScore = edgeScore(tokens, start) + edgeScore(tokens, end);
    const room = Math.min(slideMax, Math.max(0, budget.left));
    for (let by = 1; by <= room && canStepLeft(here, ids, start - by, end - by); by += 1) {
      budget.left -= 1;
      const score = edgeScore(tokens, start - by) + edgeScore(tokens, end - by);
      if (score > bestScore) {
        best = -by;
        bestScore = score;
      }
    }
    for (let by = 1; by <= room && canStepRight(here, ids, start + by, end + by); by += 1) {
      budget.left -= 1;
      const score = edgeScore(tokens, start + by) + edgeScore(tokens, end + by);
      if (score > bestScore) {
        best = by;
        bestScore = score;
      }
    }
    for (; best < 0; best += 1) {
      start -= 1;
      end -= 1;
      pairUp(end, here[start] ?? 0);
      here[start] = unmatched;
    }
    for (; best > 0; best -= 1) {
      pairUp(start, here[end] ?? 0);
      here[end] = unmatched;
      start += 1;
      end += 1;
    }
    start = Math.max(next, end);
  }
}

/** One token to the left: the token that enters the change in front must equal the one that leaves it behind. */
function canStepLeft(here: Int32Array, ids: Int32Array, start: number, end: number): boolean {
  return start >= 0 && (here[start] ?? -1) >= 0 && follows(here, start) && ids[start] === ids[end];
}

function canStepRight(here: Int32Array, ids: Int32Array, start: number, end: number): boolean {
  return (
    end <= ids.length &&
    (here[end - 1] ?? -1) >= 0 &&
    ids[start - 1] === ids[end - 1] &&
    leads(here, start, end)
  );
}

/** The skipped tokens must be matched without a gap on the other side, or the change would not stay whole. */
function follows(here: Int32Array, at: number): boolean {
  const next = here[at + 1] ?? -1;
  return next < 0 || next === (here[at] ?? -1) + 1;
}

function leads(here: Int32Array, start: number, end: number): boolean {
  const before = here[end - 2] ?? -1;
  return before < 0 || end - 2 < start || before + 1 === here[end - 1];
}

const endMarks: ReadonlySet<number> = new Set([0x2e, 0x21, 0x3f]);

/** Rates how much the position before a token looks like the start of an edit. */
function edgeScore(tokens: Tokens, at: number): number {
  if (at === 0 || at === tokens.count) return 5;
  const from = tokens.ends[at - 1] ?? 0;
  const to = tokens.starts[at] ?? 0;
  let breaks = 0;
  for (let i = from; i < to; i += 1) if (tokens.bytes[i] === 0x0a) breaks += 1;
  if (breaks > 0) return breaks > 1 ? 4 : 3;
  if (from === to) return 0;
  return endMarks.has(tokens.bytes[from - 1] ?? 0) ? 2 : 1;
}
