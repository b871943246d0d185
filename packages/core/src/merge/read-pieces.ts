import { characterKind } from '../text/character-kind.ts';

/** A text cut into pieces that together are the whole text. */
export interface Pieces {
  /** By piece: where it begins, in UTF-16 units. One more entry than pieces, for the text's end. */
  readonly starts: Int32Array;
  /** Equal pieces have equal ids, also in other texts that were read with the same table. */
  readonly ids: Int32Array;
  /** By piece, and one more: how many words stand before it. */
  readonly wordsBefore: Int32Array;
}

/** Numbers pieces from 0, equal ones equally. One table for all texts of one comparison. */
export type PieceTable = Map<string, number>;

/** A line holds its own end; the last one may have none. Only a line feed ends a line, as in git. */
export function readLines(text: string, table: PieceTable): Pieces {
  return readPieces(text, table, (at) => {
    const end = text.indexOf('\n', at);
    return { end: end === -1 ? text.length : end + 1, isWord: true };
  });
}

/**
 * Words, line ends, white space between them, and single marks. What readers take for one thing is one word, although
 * marks stand in it: `2026-11-20`, `1,000.5`, `don't`, `https://example.org/a?b=c`. In scripts without spaces each
 * character is a word.
 */
export function readWords(text: string, table: PieceTable): Pieces {
  return readPieces(text, table, (at) => {
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

function readPieces(
  text: string,
  table: PieceTable,
  pieceAt: (at: number) => { readonly end: number; readonly isWord: boolean },
): Pieces {
  const starts = [0];
  const ids: number[] = [];
  const wordsBefore = [0];
  let words = 0;
  for (let at = 0; at < text.length; ) {
    const { end, isWord } = pieceAt(at);
    const piece = text.slice(at, end);
    const id = table.get(piece) ?? table.size;
    if (id === table.size) table.set(piece, id);
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
/** Marks that hold a word together when letters or digits stand on both sides, up to three in a row. */
const joiners: ReadonlySet<number> = new Set([..."'’.,-_/:@=&?%+#~"].map((mark) => mark.charCodeAt(0)));
const joinersMax = 3;

/** The end of the word whose letters reach up to `at` at least. */
function wordEnd(text: string, from: number): number {
  let at = lettersEnd(text, from);
  for (;;) {
    let joined = at;
    while (joined < at + joinersMax && joiners.has(text.charCodeAt(joined))) joined += 1;
    // A list written without spaces, `a,b,c`, is several words; a number with groups of digits is one.
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

/** White space up to the next line end, which is a piece of its own. */
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

/** UTF-16 units of a code point: a pair is never cut. */
function unitsOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}
