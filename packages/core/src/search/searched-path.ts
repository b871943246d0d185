import type { FolderedPath } from '../visibility.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import { startWorthAt } from './word-starts.ts';

/** A path prepared for searches. */
export interface SearchedPath extends FolderedPath {
  /** The path as `foldForSearch` returns it. */
  readonly folded: string;
  /** The path with as many units as `folded`: a character that folds to several is repeated as often. */
  readonly shown: string;
  /** Position of the last segment in `folded`. */
  readonly nameStart: number;
  /** The `characterMask` of `folded`. */
  readonly mask: number;
  /** Of the characters that begin a segment, a word or a hump. */
  readonly startMask: number;
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

/**
 * Unicode's caseless folding, which is independent of language: `STRASSE` and `straße` are equal, and `İ` is an `i` with
 * a dot above even in Turkish. Folds each character alone, because a lower-case sigma must not depend on the next
 * character. So a character may become several.
 */
export function foldForSearch(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

/** @param before a path whose folder string is used again if it is the same: such paths are compared faster. */
export function searchedPath(path: WorkspacePath, before?: SearchedPath): SearchedPath {
  const own = path.slice(0, path.lastIndexOf('/') + 1);
  const folder = own === before?.folder ? before.folder : own;
  const folded = foldForSearch(path);
  let shown: string = path;
  if (folded.length !== path.length) {
    shown = '';
    for (const character of path) shown += character.padEnd(foldCharacter(character).length, character);
  }
  const nameStart = folded.lastIndexOf('/') + 1;
  let startMask = 0;
  for (let at = 0; at < folded.length; at += 1) {
    if (startWorthAt(shown, at) > 0) startMask |= characterBit(folded.codePointAt(at) ?? 0);
  }
  return { path, folder, folded, shown, nameStart, mask: characterMask(folded), startMask };
}

/**
 * Returns one bit for each ASCII letter and one for each of a few groups of other characters. If a folded text lacks a
 * bit of the query, it cannot match. If it has all of them, it still may not match.
 */
export function characterMask(folded: string): number {
  let mask = 0;
  for (let at = 0; at < folded.length; ) {
    const code = folded.codePointAt(at) ?? 0;
    mask |= characterBit(code);
    at += code > 0xffff ? 2 : 1;
  }
  return mask;
}

function foldCharacter(character: string): string {
  return character.toLowerCase().toUpperCase().toLowerCase();
}

function characterBit(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 1 << (code - 0x61);
  if (code >= 0x30 && code <= 0x39) return 1 << (26 + (code & 1));
  return code < 0x80 ? 1 << 28 : 1 << (29 + (code % 3));
}
