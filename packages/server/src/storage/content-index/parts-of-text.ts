// docs/decisions/0082-parts-of-texts-on-postgresql.md
import { contentQueryMaxCharacters, foldCase, indexedText } from '@stoa/core';
import { textOf } from '../../service/ports/content-index.ts';

/**
 * A long text is many parts: nearly every word of three characters is somewhere in it, and it would be looked through for every
 * search. They are kept folded, so that pieces that stand apart are told from the text without reading the content.
 * Whatever may be searched for stands whole in one of the parts.
 */
const partCharacters = 8192;
const partOverlap = 2 * contentQueryMaxCharacters;

/** @returns the folded text of a content in parts that overlap; null for what is not text. An empty text has no part. */
export function partsOfText(bytes: Uint8Array | null): readonly string[] | null {
  const text = bytes === null ? null : textOf(bytes);
  if (text === null) return null;
  const folded = indexedText(foldCase(text));
  const parts: string[] = [];
  for (let start = 0; start < folded.length; start += partCharacters) {
    parts.push(folded.slice(start, start + partCharacters + partOverlap));
  }
  return parts;
}
