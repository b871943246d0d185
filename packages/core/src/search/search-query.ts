import { invalidRequest } from '../errors.ts';
import { searchQueryMaxCharacters } from '../limits.ts';
import { characterMask, foldForSearch } from './searched-path.ts';

/** A query prepared for many paths, folded and without white space. */
export interface SearchQuery {
  /** In the order that a path must have them in. */
  readonly characters: readonly SearchCharacter[];
  /** Adjacent groups of the characters. A gap before a term costs nothing. */
  readonly terms: readonly SearchTerm[];
  /** The `characterMask` of all characters. */
  readonly mask: number;
}

export interface SearchCharacter {
  readonly text: string;
  readonly code: number;
  readonly mask: number;
  readonly startsTerm: boolean;
}

/** The characters from number `start` up to `end`. */
export interface SearchTerm {
  readonly text: string;
  readonly start: number;
  readonly end: number;
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
  const characters: SearchCharacter[] = [];
  const terms: SearchTerm[] = [];
  for (const term of text.toWellFormed().normalize('NFC').split(/\s+/u)) {
    const start = characters.length;
    const folded = foldForSearch(term);
    for (const character of folded) {
      characters.push({
        text: character,
        code: character.codePointAt(0) ?? 0,
        mask: characterMask(character),
        startsTerm: characters.length === start,
      });
    }
    if (folded !== '') terms.push({ text: folded, start, end: characters.length });
  }
  if (terms.length === 0) throw invalidRequest('the query is empty');
  return { characters, terms, mask: characters.reduce((all, { mask }) => all | mask, 0) };
}

/** Returns the end of the earliest match from a position of a folded text on, or -1 without one. */
export function matchEnd({ characters }: SearchQuery, folded: string, from = 0): number {
  let at = from;
  for (const { text } of characters) {
    const found = folded.indexOf(text, at);
    if (found === -1) return -1;
    at = found + text.length;
  }
  return at;
}
