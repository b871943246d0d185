// docs/decisions/0082-parts-of-texts-on-postgresql.md
import { contentQueryMaxCharacters, foldCase, indexedText } from '@stoa/core';
import { textOf } from '../../service/ports/content-index.ts';

/**
 * A long text is many parts: nearly every word of three characters is somewhere in it, and it would be looked through for every
 * search. They are kept folded, so that pieces that stand apart are told from the text without reading the content.
 * PostgreSQL takes long to look through a part, and SQLite to keep many.
 */
export const partCharacters = { sqlite: 8192, postgres: 2048 } as const;
/** Whatever may be searched for stands whole in one of the parts. */
const partOverlap = 2 * contentQueryMaxCharacters;

/**
 * @param size of `partCharacters`.
 * @returns the folded text of a content in parts that overlap; null for what is not text. An empty text has no part.
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
