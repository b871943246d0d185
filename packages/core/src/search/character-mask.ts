import { foldedCodePoints } from './search-symbols.ts';

/**
 * Returns one bit for each ASCII letter and one for each of a few groups of other characters, after folding. If a text
 * lacks a bit of the query, it cannot match. If it has all of them, it still may not match.
 */
export function characterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) mask |= asciiBits[code] ?? 0;
    else return mask | maskOfCodes(foldedCodePoints(text.slice(i)));
  }
  return mask;
}

export function maskOfCodes(folded: readonly number[]): number {
  return folded.reduce((mask, code) => mask | characterBit(code), 0);
}

function characterBit(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 1 << (code - 0x61);
  if (code >= 0x30 && code <= 0x39) return 1 << (26 + (code & 1));
  if (code < 0x80) return 1 << 28;
  return 1 << (29 + (code % 3));
}

const asciiBits = Int32Array.from({ length: 0x80 }, (_, code) =>
  maskOfCodes(foldedCodePoints(String.fromCharCode(code))),
);
