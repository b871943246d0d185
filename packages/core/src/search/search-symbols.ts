/**
 * Encoding of text for search: one folded number per character, with the value of a match there.
 * The low 21 bits are the folded code point, then two bits of `Mark`, then one bit that ends a file name's stem.
 */
export const codePointBits = 0x1f_ffff;
export const markShift = 21;
export const markBits = 0b11;
export const stemEndBit = 1 << 23;
export const slash = 0x2f;

/** Positions of a character within a word, from worst to best. */
export const mark = { inside: 0, hump: 1, wordStart: 2, segmentStart: 3 } as const;

const kind = { separator: 0, lower: 1, upper: 2, digit: 3 } as const;
type Kind = (typeof kind)[keyof typeof kind];

/**
 * Appends the symbols of whole segments of a canonical path. Uses Unicode's caseless folding, which is independent of
 * language: `STRASSE` and `straße` are equal, and `İ` is an `i` with a dot above even in Turkish.
 * Folds each character alone, because a lower-case sigma must not depend on the next character. So a character may
 * become several symbols.
 */
export function pushSymbols(path: string, symbols: number[]): void {
  const first = symbols.length;
  let stemEnd = -1;
  let before: Kind = kind.separator;
  let atSegmentStart = true;
  for (let i = 0; i < path.length; ) {
    const code = path.codePointAt(i) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    const here = kindOf(code);
    const after = i + width < path.length ? kindOf(path.codePointAt(i + width) ?? 0) : kind.separator;
    const value = (atSegmentStart ? mark.segmentStart : markBetween(before, here, after)) << markShift;
    if (code === slash) stemEnd = -1;
    // A leading dot belongs to the name and does not start an extension.
    else if (code === 0x2e && !atSegmentStart) stemEnd = symbols.length - 1;
    if (code < 0x80) symbols.push((here === kind.upper ? code + 0x20 : code) | value);
    else pushFolded(code, value, symbols);
    atSegmentStart = code === slash;
    before = here;
    i += width;
  }
  if (stemEnd >= first) symbols[stemEnd] = (symbols[stemEnd] ?? 0) | stemEndBit;
}

/** Returns the folded code points of a query's text. */
export function foldedCodePoints(text: string): number[] {
  const folded: number[] = [];
  for (const character of text) pushFolded(character.codePointAt(0) ?? 0, 0, folded);
  return folded;
}

function pushFolded(code: number, value: number, symbols: number[]): void {
  const character = String.fromCodePoint(code);
  let marked = value;
  for (const folded of character.toLowerCase().toUpperCase().toLowerCase()) {
    symbols.push((folded.codePointAt(0) ?? 0) | marked);
    marked = 0;
  }
}

function markBetween(before: Kind, here: Kind, after: Kind): number {
  if (here === kind.separator) return mark.inside;
  if (before === kind.separator) return mark.wordStart;
  if (here === kind.digit || before === kind.digit) return here === before ? mark.inside : mark.hump;
  if (here === kind.upper && (before === kind.lower || after === kind.lower)) return mark.hump;
  return mark.inside;
}

function kindOf(code: number): Kind {
  if (code < 0x80) {
    if (code >= 0x61 && code <= 0x7a) return kind.lower;
    if (code >= 0x41 && code <= 0x5a) return kind.upper;
    return code >= 0x30 && code <= 0x39 ? kind.digit : kind.separator;
  }
  const character = String.fromCodePoint(code);
  if (character.toLowerCase() !== character) return kind.upper;
  if (/\p{N}/u.test(character)) return kind.digit;
  return /[\p{L}\p{M}]/u.test(character) ? kind.lower : kind.separator;
}
