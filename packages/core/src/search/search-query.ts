import { invalidRequest } from '../errors.ts';
import { searchQueryMaxCharacters } from '../limits.ts';
import { maskOfCodes } from './character-mask.ts';
import { type ScoreMax, scoreMaxOf } from './match-worth.ts';
import { foldedCodePoints } from './search-symbols.ts';

/** A query prepared for many texts. Its characters are numbered from 0, without white space. */
export interface SearchQuery {
  /** Folded code points, in the order that a text must have them in. */
  readonly codes: Uint32Array;
  /** 1 at the start of a term: a gap before it costs nothing. */
  readonly startsTerm: Uint8Array;
  /** By code point up to 0xffff: its last position in the query plus one, or 0. */
  readonly lastPosition: Uint16Array;
  /** The same for higher code points. */
  readonly lastPositionAbove: ReadonlyMap<number, number>;
  /** By position in the query: the previous position of the same code point plus one, or 0. */
  readonly positionBefore: Uint16Array;
  /** The `characterMask` of all characters, and by position of those from there on. */
  readonly mask: number;
  readonly masksFrom: Int32Array;
  readonly scoreMax: ScoreMax;
}

/**
 * Parses a query. White space separates terms and is not matched, so `meeting notes` finds `meeting-notes.md`. The
 * terms must match in the given order.
 *
 * @throws WorkspaceError `invalid_request` for white space only, or beyond 200 characters (interface: files, Search).
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
  const lastPosition = new Uint16Array(0x1_0000);
  const lastPositionAbove = new Map<number, number>();
  const positionBefore = new Uint16Array(codes.length);
  codes.forEach((code, position) => {
    if (code > 0xffff) {
      positionBefore[position] = lastPositionAbove.get(code) ?? 0;
      lastPositionAbove.set(code, position + 1);
    } else {
      positionBefore[position] = lastPosition[code] ?? 0;
      lastPosition[code] = position + 1;
    }
  });
  const masksFrom = new Int32Array(codes.length);
  let mask = 0;
  for (let position = codes.length - 1; position >= 0; position -= 1) {
    mask |= maskOfCodes([codes[position] ?? 0]);
    masksFrom[position] = mask;
  }
  const scoreMax = scoreMaxOf(codes.length, terms.length);
  return {
    codes,
    startsTerm,
    lastPosition,
    lastPositionAbove,
    positionBefore,
    mask,
    masksFrom,
    scoreMax,
  };
}
