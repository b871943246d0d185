import type { TextRange } from '../merge/text-edit.ts';

/** A text with invisible white space folded, and the original position of each character. */
interface FoldedWhiteSpace {
  readonly text: string;
  readonly starts: Int32Array;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;
const noBreakSpace = 0xa0;

/** Calls `visit` for every exact match of `needle`, including overlapping ones, until it returns false. */
export function visitTexts(text: string, needle: string, visit: (match: TextRange) => boolean): void {
  visitStarts(text, needle, (start) => visit({ start, end: start + needle.length }));
}

/**
 * The same, but line ends, no-break spaces and white space at the ends of lines may differ: text copied from a window
 * or terminal has lost them. Indentation and all other white space count.
 */
export function visitFoldedTexts(text: string, needle: string, visit: (match: TextRange) => boolean): void {
  const folded = foldWhiteSpace(text);
  const wanted = foldWhiteSpace(needle).text;
  const { starts } = folded;
  visitStarts(folded.text, wanted, (from) => {
    const last = starts[from + wanted.length - 1] ?? 0;
    const isPair = text.charCodeAt(last) === carriageReturn && text.charCodeAt(last + 1) === lineFeed;
    return visit({ start: starts[from] ?? 0, end: last + (isPair ? 2 : 1) });
  });
}

/** Knuth, Morris and Pratt: linear in the text for any needle. */
function visitStarts(text: string, needle: string, visit: (start: number) => boolean): void {
  const size = needle.length;
  if (size === 0) return;
  // The engine finds a short prefix much faster, and usually there is at most one match.
  const from = text.indexOf(needle.slice(0, 8));
  if (from === -1) return;
  const borders = bordersOf(needle);
  const first = needle.charCodeAt(0);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (matched === 0 && code !== first) continue;
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === code) matched += 1;
    if (matched < size) continue;
    if (!visit(at + 1 - size)) return;
    matched = borders[size - 1] ?? 0;
  }
}

function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length);
  let border = 0;
  for (let i = 1; i < needle.length; i += 1) {
    const code = needle.charCodeAt(i);
    while (border > 0 && needle.charCodeAt(border) !== code) border = borders[border - 1] ?? 0;
    if (needle.charCodeAt(border) === code) border += 1;
    borders[i] = border;
  }
  return borders;
}

function foldWhiteSpace(text: string): FoldedWhiteSpace {
  const starts = new Int32Array(text.length);
  const parts: string[] = [];
  let part: number[] = [];
  let size = 0;
  /** Start of a run of white space that may end a line, or -1. */
  let runStart = -1;
  const push = (code: number, start: number): void => {
    part.push(code);
    starts[size] = start;
    size += 1;
    if (part.length < 4096) return;
    parts.push(String.fromCharCode(...part));
    part = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === space || code === tab || code === noBreakSpace) {
      if (runStart === -1) runStart = at;
      continue;
    }
    const isPair = code === carriageReturn && text.charCodeAt(at + 1) === lineFeed;
    if (isPair || code === lineFeed) {
      runStart = -1;
      push(lineFeed, at);
      if (isPair) at += 1;
      continue;
    }
    for (; runStart !== -1 && runStart < at; runStart += 1)
      push(text.charCodeAt(runStart) === tab ? tab : space, runStart);
    runStart = -1;
    push(code, at);
  }
  parts.push(String.fromCharCode(...part));
  return { text: parts.join(''), starts: starts.subarray(0, size) };
}
