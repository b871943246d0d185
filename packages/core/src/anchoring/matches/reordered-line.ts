import type { ByteRange } from '../anchor.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { type TokenRange, tokensTouched } from '../diff/token-range.ts';
import type { Tokens } from '../text/tokens.ts';

/** Lines of a block that are examined, to each side. */
const blockLinesMax = 256;
/** Minimum words of a line. A shorter one may be a label that any list can have. */
const lineWordsMin = 2;

/**
 * True if the line at `place` is the pinned one, apart from its number or bullet, within the rest of its block. So a
 * list or table may be reordered.
 */
export function isReorderedLine(tokens: TokenAlignment, range: ByteRange, match: ByteRange): boolean {
  const { pinned, current, toPinned } = tokens;
  const lineThen = lineOf(pinned, tokensTouched(pinned, range));
  const lineNow = lineOf(current, tokensTouched(current, match));
  if (lineThen === null || lineNow === null || !haveSameText(tokens, lineThen, lineNow)) return false;
  const blockThen = blockOf(pinned, lineThen);
  const blockNow = blockOf(current, lineNow);
  for (let i = blockNow.first; i < blockNow.end; i += 1) {
    const from = toPinned[i] ?? -1;
    const isOurs = from >= lineThen.first && from < lineThen.end;
    if (from >= blockThen.first && from < blockThen.end && !isOurs && (current.wordBytes[i] ?? 0) > 0)
      return true;
  }
  return false;
}

/**
 * Returns the one line that the tokens are on, from its first letter: bullet, number and check box do not count. Null
 * if they are on several lines.
 */
function lineOf(tokens: Tokens, touched: TokenRange): TokenRange | null {
  const line = tokens.lineOf[touched.first];
  if (line === undefined || touched.end === touched.first || tokens.lineOf[touched.end - 1] !== line)
    return null;
  const end = tokens.lineFirst[line + 1] ?? tokens.count;
  let first = tokens.lineFirst[line] ?? 0;
  while (first < end && !beginsWithLetter(tokens, first)) first += 1;
  return { first, end };
}

function beginsWithLetter(tokens: Tokens, token: number): boolean {
  const byte = tokens.bytes[tokens.starts[token] ?? 0] ?? 0;
  return (tokens.wordBytes[token] ?? 0) > 0 && (byte < 0x30 || byte > 0x39);
}

function haveSameText({ pinned, current }: TokenAlignment, then: TokenRange, now: TokenRange): boolean {
  const size = then.end - then.first;
  if (now.end - now.first !== size) return false;
  let words = 0;
  for (let i = 0; i < size; i += 1) {
    if (pinned.ids[then.first + i] !== current.ids[now.first + i]) return false;
    if ((pinned.wordBytes[then.first + i] ?? 0) > 0) words += 1;
  }
  return words >= lineWordsMin;
}

/** Returns the lines around a line that no blank line separates from it. */
function blockOf(tokens: Tokens, line: TokenRange): TokenRange {
  const home = tokens.lineOf[line.first] ?? 0;
  let top = home;
  let bottom = home + 1;
  while (top > 0 && home - top < blockLinesMax && isNextLine(tokens, top - 1)) top -= 1;
  while (
    bottom < tokens.lineFirst.length - 1 &&
    bottom - home < blockLinesMax &&
    isNextLine(tokens, bottom - 1)
  )
    bottom += 1;
  return { first: tokens.lineFirst[top] ?? 0, end: tokens.lineFirst[bottom] ?? tokens.count };
}

/** True if no blank line follows `line`. */
function isNextLine(tokens: Tokens, line: number): boolean {
  const next = tokens.lineFirst[line + 1] ?? tokens.count;
  let breaks = 0;
  for (let at = tokens.ends[next - 1] ?? 0; at < (tokens.starts[next] ?? 0); at += 1) {
    if (tokens.bytes[at] === 0x0a) breaks += 1;
  }
  return breaks === 1;
}
