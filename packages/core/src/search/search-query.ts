import { invalidRequest } from '../errors.ts';
import { searchQueryMaxCharacters } from '../limits.ts';
import { maskOfCodes } from './character-mask.ts';
import { type ScoreMax, scoreMaxOf } from './match-worth.ts';
import { foldedCodePoints } from './search-symbols.ts';

/** A query made ready for many texts. Its characters are numbered from 0; white space is not among them. */
export interface SearchQuery {
  /** Folded code points, in the order in which a text must have them. */
  readonly codes: Uint32Array;
  /** 1 where a term begins: a gap before it costs nothing. */
  readonly startsTerm: Uint8Array;
  /** By code point up to 0xffff: one more than the last place in the query that has it, 0 when none has. */
  readonly lastPlace: Uint16Array;
  /** The same for the code points above. */
  readonly lastPlaceAbove: ReadonlyMap<number, number>;
  /** By place in the query: one more than the place before it that has the same code point, 0 when none has. */
  readonly placeBefore: Uint16Array;
  /** What `characterMask` says of all characters, and by place of those from there on. */
  readonly mask: number;
  readonly masksFrom: Int32Array;
  readonly scoreMax: ScoreMax;
}

/**
 * White space separates terms and is not matched itself, so `meeting notes` finds `meeting-notes.md`. The terms still
 * match in the order in which they stand.
 *
 * @throws WorkspaceError `invalid_request` when nothing but white space is left, or beyond 200 characters
 * (interface: files, Search).
 */
export function parseSearchQuery(text: string): SearchQuery {
  if (text.length > searchQueryMaxCharacters * 2 || [...text].length > searchQueryMaxCharacters) {
    throw invalidRequest(`the query is longer than ${searchQueryMaxCharacters} characters`);
  }
  const terms = text
    .toWellFormed()
    .normalize('NFC')
    .split(/\s+/u)
    .filter((term) => term !== '')
    .map(foldedCodePoints);
  if (terms.length === 0) throw invalidRequest('the query is empty');
  return prepare(terms);
}

function prepare(terms: readonly (readonly number[])[]): SearchQuery {
  const codes = Uint32Array.from(terms.flat());
  const startsTerm = new Uint8Array(codes.length);
  let start = 0;
  for (const term of terms) {
    startsTerm[start] = 1;
    start += term.length;
  }
  const lastPlace = new Uint16Array(0x1_0000);
  const lastPlaceAbove = new Map<number, number>();
  const placeBefore = new Uint16Array(codes.length);
  codes.forEach((code, place) => {
    if (code > 0xffff) {
      placeBefore[place] = lastPlaceAbove.get(code) ?? 0;
      lastPlaceAbove.set(code, place + 1);
    } else {
      placeBefore[place] = lastPlace[code] ?? 0;
      lastPlace[code] = place + 1;
    }
  });
  const masksFrom = new Int32Array(codes.length);
  let mask = 0;
  for (let place = codes.length - 1; place >= 0; place -= 1) {
    mask |= maskOfCodes([codes[place] ?? 0]);
    masksFrom[place] = mask;
  }
  const scoreMax = scoreMaxOf(codes.length, terms.length);
  return { codes, startsTerm, lastPlace, lastPlaceAbove, placeBefore, mask, masksFrom, scoreMax };
}
