// docs/decisions/0026-content-index.md
import { contentQueryMaxCharacters, foldCase, indexedText } from '@stoa/core';
import { textOf } from '../../service/ports/content-index.ts';

/**
 * A long text is split into parts: otherwise it would contain nearly every n-gram of three characters, and would be a
 * candidate of every search. Parts are stored folded, so that scattered n-grams are distinguished from the text without
 * reading the content. PostgreSQL is slow to scan a part, and SQLite to store many.
 */
export const partCharacters = { sqlite: 8192, postgres: 2048 } as const;
/** Any text that can be searched for is completely inside one of the parts. */
const partOverlap = 2 * contentQueryMaxCharacters;

/**
 * @param size of `partCharacters`.
 * @returns the folded text of a content in overlapping parts; null for a content that is not text. An empty text has no
 * part.
 */
export function partsOfText(bytes: Uint8Array | null, size: number): readonly string[] | null {
  const text = bytes === null ? null : textOf(bytes);
  if (text === null) return null;
  const folded = indexedText(foldCase(text));
  const parts: string[] = [];
  for (let start = 0; start < folded.length; start += size) {
    parts.push(folded.slice(start, start + size + partOverlap));
  }
  return parts;
}
