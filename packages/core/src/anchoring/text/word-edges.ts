import type { ByteRange } from '../anchor.ts';
import { kindAt } from './tokens.ts';
import { characterLength, isInsideCharacter } from './utf8.ts';
import { spaceEnd, spaceStart } from './white-space.ts';

/** True between two letters of one word, and within a character. */
export function isInsideWord(bytes: Uint8Array, at: number): boolean {
  if (at <= 0 || at >= bytes.length) return false;
  if (isInsideCharacter(bytes, at)) return true;
  if (kindAt(bytes, at) !== 'letter') return false;
  return kindAt(bytes, characterBefore(bytes, at)) === 'letter';
}

/** Trims white space at the ends of a range and widens it to whole words. */
export function wholeWords(bytes: Uint8Array, range: ByteRange): ByteRange {
  let start = spaceEnd(bytes, range.start, range.end);
  let end = spaceStart(bytes, range.end, start);
  while (isInsideWord(bytes, start)) start = characterBefore(bytes, start);
  while (isInsideWord(bytes, end)) end += characterLength(bytes, end);
  return { start, end };
}

function characterBefore(bytes: Uint8Array, at: number): number {
  let before = at - 1;
  while (isInsideCharacter(bytes, before)) before -= 1;
  return before;
}
