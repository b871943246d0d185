import type { StepBudget } from '../../merge/side.ts';
import { diffedBytesMax, diffMarginBytes, diffStepsMax } from '../anchoring-limits.ts';
import { readTokens, type Tokens } from '../text/tokens.ts';
import { isInsideCharacter } from '../text/utf8.ts';
import { dropChanceMatches } from './drop-chance-matches.ts';
import { InternTable } from './intern-table.ts';
import { matchSequences } from './match-sequences.ts';
import { createSequenceMatch, type Gap, type SequenceMatch } from './sequence-match.ts';
import { slideChanges } from './slide-changes.ts';

/** The matching tokens of the pinned and the current content, in the part where the two differ. */
export interface TokenAlignment {
  readonly pinned: Tokens;
  readonly current: Tokens;
  /** By pinned token: the current token, `unmatched` or `unknownMatch`. */
  readonly toCurrent: Int32Array;
  readonly toPinned: Int32Array;
  /** By pinned token: 1 if its whole line was kept. */
  readonly inKeptLine: Uint8Array;
  /** Whether the tokens reach the file's first byte and its last. */
  readonly fromFileStart: boolean;
  readonly toFileEnd: boolean;
}

/** The correspondence of two contents of one file. Computed once for all anchors that are pinned to the same bytes. */
export interface Alignment {
  readonly pinned: Uint8Array;
  readonly content: Uint8Array;
  /** Length of the common prefix and of the common suffix. They never overlap. */
  readonly prefixBytes: number;
  readonly suffixBytes: number;
  /** Null if the differing part is larger than `diffedBytesMax`: then there is no diff. */
  readonly tokens: TokenAlignment | null;
}

/**
 * Compares two contents: common bytes at both ends, then lines, then words within the lines that differ. Time is linear
 * in the contents plus a bounded number of steps (`diffedBytesMax`, `diffStepsMax`).
 */
export function alignContents(pinned: Uint8Array, content: Uint8Array): Alignment {
  const prefixBytes = commonPrefix(pinned, content);
  const suffixBytes = commonSuffix(pinned, content, prefixBytes);
  const start = viewStart(pinned, prefixBytes);
  const tail = pinned.length - viewEnd(pinned, pinned.length - suffixBytes);
  const widest = Math.max(pinned.length, content.length) - tail - start;
  return {
    pinned,
    content,
    prefixBytes,
    suffixBytes,
    tokens: widest > diffedBytesMax ? null : alignTokens(pinned, content, start, tail),
  };
}

function alignTokens(pinned: Uint8Array, content: Uint8Array, start: number, tail: number): TokenAlignment {
  const words = new InternTable();
  const left = readTokens(pinned, start, pinned.length - tail, words.intern);
  const right = readTokens(content, start, content.length - tail, words.intern);
  const budget: StepBudget = { left: diffStepsMax };
  const lines = matchLines(left, right, budget);
  const match = createSequenceMatch(left.ids, right.ids);
  for (const gap of lineGaps(lines, left, right, match)) {
    matchSequences(match, gap, budget);
    dropChanceMatches(match, gap, left, right);
  }
  slideChanges(match, left, right, budget);
  return {
    pinned: left,
    current: right,
    toCurrent: match.toRight,
    toPinned: match.toLeft,
    inKeptLine: keptLines(match, left, right),
    fromFileStart: start === 0,
    toFileEnd: tail === 0,
  };
}

function matchLines(left: Tokens, right: Tokens, budget: StepBudget): SequenceMatch {
  const table = new InternTable();
  const lineIds = (tokens: Tokens): Int32Array => {
    const bytes = new Uint8Array(tokens.ids.buffer, tokens.ids.byteOffset, tokens.ids.byteLength);
    const ids = new Int32Array(tokens.lineFirst.length - 1);
    for (let line = 0; line < ids.length; line += 1) {
      ids[line] = table.intern(
        bytes,
        4 * (tokens.lineFirst[line] ?? 0),
        4 * (tokens.lineFirst[line + 1] ?? 0),
      );
    }
    return ids;
  };
  const match = createSequenceMatch(lineIds(left), lineIds(right));
  const whole = { leftStart: 0, leftEnd: match.left.length, rightStart: 0, rightEnd: match.right.length };
  matchSequences(match, whole, budget);
  return match;
}

/** Pairs the tokens of lines that stayed whole. @returns the gaps of tokens between those lines */
function lineGaps(lines: SequenceMatch, left: Tokens, right: Tokens, match: SequenceMatch): readonly Gap[] {
  const gaps: Gap[] = [];
  let leftStart = 0;
  let rightStart = 0;
  for (let line = 0; line <= lines.left.length; line += 1) {
    const other = line === lines.left.length ? lines.right.length : (lines.toRight[line] ?? -1);
    if (other < 0) continue;
    const leftAt = left.lineFirst[line] ?? left.count;
    const rightAt = right.lineFirst[other] ?? right.count;
    if (leftAt > leftStart || rightAt > rightStart)
      gaps.push({ leftStart, leftEnd: leftAt, rightStart, rightEnd: rightAt });
    leftStart = left.lineFirst[line + 1] ?? left.count;
    rightStart = right.lineFirst[other + 1] ?? right.count;
    for (let i = leftAt; i < leftStart; i += 1) {
      match.toRight[i] = rightAt + i - leftAt;
      match.toLeft[rightAt + i - leftAt] = i;
    }
  }
  return gaps;
}

/** By token of the left side: 1 if its line is also a whole line of the right side. */
function keptLines(match: SequenceMatch, left: Tokens, right: Tokens): Uint8Array {
  const kept = new Uint8Array(left.count);
  for (let line = 0; line < left.lineFirst.length - 1; line += 1) {
    const first = left.lineFirst[line] ?? 0;
    const end = left.lineFirst[line + 1] ?? 0;
    const other = match.toRight[first] ?? -1;
    const otherLine = right.lineOf[other] ?? -1;
    if (other < 0 || right.lineFirst[otherLine] !== other) continue;
    if ((right.lineFirst[otherLine + 1] ?? 0) - other !== end - first) continue;
    let isWhole = true;
    for (let i = first; i < end && isWhole; i += 1) isWhole = match.toRight[i] === other + i - first;
    if (isWhole) kept.fill(1, first, end);
  }
  return kept;
}

function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let size = 0;
  while (size < most && a[size] === b[size]) size += 1;
  return size;
}

function commonSuffix(a: Uint8Array, b: Uint8Array, prefix: number): number {
  const most = Math.min(a.length, b.length) - prefix;
  let size = 0;
  while (size < most && a[a.length - 1 - size] === b[b.length - 1 - size]) size += 1;
  return size;
}

/** Starts within the common prefix: at a line, or at a character if lines are longer than the margin. */
function viewStart(bytes: Uint8Array, prefixBytes: number): number {
  const from = prefixBytes - diffMarginBytes;
  if (from <= 0) return 0;
  const line = bytes.subarray(from, prefixBytes - diffMarginBytes / 2).indexOf(0x0a);
  let start = line === -1 ? from : from + line + 1;
  while (start < prefixBytes && isInsideCharacter(bytes, start)) start += 1;
  return start;
}

function viewEnd(bytes: Uint8Array, suffixStart: number): number {
  const to = suffixStart + diffMarginBytes;
  if (to >= bytes.length) return bytes.length;
  const line = bytes.subarray(suffixStart + diffMarginBytes / 2, to).lastIndexOf(0x0a);
  let end = line === -1 ? to : suffixStart + diffMarginBytes / 2 + line + 1;
  while (end < bytes.length && isInsideCharacter(bytes, end)) end += 1;
  return end;
}
