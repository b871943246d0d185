import { changedRanges } from '../merge/changed-ranges.ts';
import { LineCounter, type LineRange } from './line-ranges.ts';

/** Lines of the newest text that come from one text. */
export interface BlamedLines extends LineRange {
  /** Index of the text; 0 is the newest. */
  readonly text: number;
}

export interface Blame {
  /** In order, together all lines. */
  readonly lines: readonly BlamedLines[];
  /** The oldest text that was compared. If there are older ones, lines attributed to it may come from those. */
  readonly oldest: number;
}

/**
 * A stretch of lines without an origin so far: its first line in the newest text and in the text under examination,
 * from 0.
 */
interface Stretch {
  readonly newest: number;
  readonly here: number;
  readonly count: number;
}

/**
 * Attributes each line of the newest text to one of the file's texts: the first that had the line, as long as the line
 * then stayed.
 * @param texts newest first.
 * @param stepsMax limit for all comparisons together. Beyond it, the remaining lines belong to the oldest compared
 * text.
 */
export function blameLines(texts: readonly [string, ...string[]], stepsMax: number): Blame {
  const [newest] = texts;
  const budget = { left: stepsMax };
  const claimed: BlamedLines[] = [];
  let open: Stretch[] = [{ newest: 0, here: 0, count: countLines(newest) }];
  let oldest = 0;
  for (let at = 0; at + 1 < texts.length && open.length > 0 && budget.left > 0; at += 1) {
    const [here = '', before = ''] = [texts[at], texts[at + 1]];
    const next: Stretch[] = [];
    const kept = keptStretches(before, here, budget);
    for (const stretch of open) divide(stretch, kept, at, claimed, next);
    open = next;
    oldest = at + 1;
  }
  for (const { newest: from, count } of open) {
    if (count > 0) claimed.push({ from: from + 1, to: from + count, text: oldest });
  }
  return { lines: joined(claimed), oldest };
}

/** Lines that two texts share, in order. */
interface Kept {
  readonly here: number;
  readonly before: number;
  readonly count: number;
}

function keptStretches(before: string, here: string, budget: { left: number }): readonly Kept[] {
  const [older, newer] = [new LineCounter(before), new LineCounter(here)];
  const kept: Kept[] = [];
  let [olderAt, newerAt] = [0, 0];
  for (const change of changedRanges(before, here, budget)) {
    const [olderLine, newerLine] = [
      older.lineAt(change.older.start) - 1,
      newer.lineAt(change.newer.start) - 1,
    ];
    if (newerLine > newerAt) kept.push({ here: newerAt, before: olderAt, count: newerLine - newerAt });
    olderAt = olderLine + countLines(before.slice(change.older.start, change.older.end));
    newerAt = newerLine + countLines(here.slice(change.newer.start, change.newer.end));
  }
  const rest = countLines(here) - newerAt;
  if (rest > 0) kept.push({ here: newerAt, before: olderAt, count: rest });
  return kept;
}

/** Passes kept lines on to `next`, and attributes the others to the current text. */
function divide(
  stretch: Stretch,
  kept: readonly Kept[],
  text: number,
  claimed: BlamedLines[],
  next: Stretch[],
): void {
  const end = stretch.here + stretch.count;
  const shift = stretch.newest - stretch.here;
  let at = stretch.here;
  const claim = (to: number) => {
    if (to > at) claimed.push({ from: at + shift + 1, to: to + shift, text });
  };
  for (let index = firstEndingAfter(kept, at); index < kept.length; index += 1) {
    const part = kept[index];
    if (part === undefined || part.here >= end) break;
    const from = Math.max(part.here, at);
    const to = Math.min(part.here + part.count, end);
    claim(from);
    next.push({ newest: from + shift, here: part.before + from - part.here, count: to - from });
    at = to;
  }
  claim(end);
}

function firstEndingAfter(kept: readonly Kept[], line: number): number {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const part = kept[middle];
    if (part !== undefined && part.here + part.count <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function joined(claimed: BlamedLines[]): readonly BlamedLines[] {
  const lines: BlamedLines[] = [];
  for (const each of claimed.sort((one, other) => one.from - other.from)) {
    const last = lines.at(-1);
    if (last !== undefined && last.text === each.text && last.to + 1 === each.from) {
      lines[lines.length - 1] = { ...last, to: each.to };
    } else lines.push(each);
  }
  return lines;
}

/** A last line without a line end counts. */
function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}
