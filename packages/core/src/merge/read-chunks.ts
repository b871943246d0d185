import { characterKind } from '../text/character-kind.ts';

/** A text split into parts, such as lines or words, that together are the whole text. */
export interface Chunks {
  /** By part: its start, in UTF-16 units. The last entry is the text's end. */
  readonly starts: Int32Array;
  /** Equal parts have equal ids, also in other texts read with the same table. */
  readonly ids: Int32Array;
  /** By part, with one more entry: the number of words before it. */
  readonly wordsBefore: Int32Array;
}

/** Numbers the parts from 0; equal parts get the same number. One table for all texts of one comparison. */
export type ChunkTable = Map<string, number>;

/** A line includes its own line end; the last one may have none. Only a line feed ends a line, as in git. */
export function readLines(text: string, table: ChunkTable): Chunks {
  return readChunks(text, table, (at) => {
    const end = text.indexOf('\n', at);
    return { end: end === -1 ? text.length : end + 1, isWord: true };
  });
}

/**
 * Splits a text into words, line ends, white space between them, and single marks. A word may contain marks if readers
 * see it as one thing: `2026-11-20`, `1,000.5`, `don't`, `https://example.org/a?b=c`. In scripts without spaces each
 * character is a word.
 */
export function readWords(text: string, table: ChunkTable): Chunks {
  return readChunks(text, table, (at) => {
    const code = text.codePointAt(at) ?? 0;
    const next = at + unitsOf(code);
    if (code === carriageReturn && text.charCodeAt(next) === lineFeed)
      return { end: next + 1, isWord: false };
    if (code === lineFeed) return { end: next, isWord: false };
    if (isSpace(code)) return { end: spacesEnd(text, next), isWord: false };
    const kind = characterKind(code);
    return { end: kind === 'letter' ? wordEnd(text, next) : next, isWord: kind !== 'mark' };
  });
}

function readChunks(
  text: string,
  table: ChunkTable,
  chunkAt: (at: number) => { readonly end: number; readonly isWord: boolean },
): Chunks {
  const starts = [0];
  const ids: number[] = [];
  const wordsBefore = [0];
  let words = 0;
  for (let at = 0; at < text.length; ) {
    const { end, isWord } = chunkAt(at);
    const chunk = text.slice(at, end);
    const id = table.get(chunk) ?? table.size;
    if (id === table.size) table.set(chunk, id);
    ids.push(id);
    starts.push(end);
    if (isWord) words += 1;
    wordsBefore.push(words);
    at = end;
  }
  return {
    starts: new Int32Array(starts),
    ids: new Int32Array(ids),
    wordsBefore: new Int32Array(wordsBefore),
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const comma = 0x2c;
/** Marks that join a word if letters or digits are on both sides, up to three in a row. */
const joiners: ReadonlySet<number> = new Set([..."'’.,-_/:@=&?%+#~"].map((mark) => mark.charCodeAt(0)));
const joinersMax = 3;

/** Returns the end of the word whose letters reach at least to `from`. */
function wordEnd(text: string, from: number): number {
  let at = lettersEnd(text, from);
  for (;;) {
    let joined = at;
    while (joined < at + joinersMax && joiners.has(text.charCodeAt(joined))) joined += 1;
    // A list without spaces, such as `a,b,c`, is several words; a number with groups of digits is one.
    const isList = text.charCodeAt(at) === comma && !(isDigit(text, at - 1) && isDigit(text, at + 1));
    const end = joined === at || isList ? joined : lettersEnd(text, joined);
    if (end === joined) return at;
    at = end;
  }
}

function lettersEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    if (isSpace(code) || characterKind(code) !== 'letter') break;
    at += unitsOf(code);
  }
  return at;
}

/** Ends before the next line end, which is a part of its own. */
function spacesEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || !isSpace(code)) break;
    if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) break;
    at += 1;
  }
  return at;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Returns the UTF-16 units of a code point: a pair is never cut. */
function unitsOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}
