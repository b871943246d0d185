import { outlineOf } from './text-outline.ts';
import { foldWord, visitWords, wordMaxCharacters, wordsOf } from './words.ts';

/** Mark tokens of the outline. They are not letters, so no word begins with one. */
const marks = { title: '\ue001', headings: '\ue002', tag: '\ue003', escape: '\ue004' } as const;
const tagMaxCharacters = 100;

/** The tokens of a text in the index. Both databases index the same tokens. */
export interface TextTokens {
  /** Each once: the words of the text, and again with a mark those of its title and headings, and its tags. */
  readonly tokens: readonly string[];
  /** Words that are too long for a token, whole: a literal search may look for any part of them. */
  readonly longWords: readonly string[];
}

export function textTokens(text: string): TextTokens {
  const tokens = new Set<string>();
  const longWords = new Set<string>();
  visitWords(text, (word, start, end) => {
    tokens.add(word);
    if (word.length >= wordMaxCharacters - 1) {
      longWords.add(foldWord(text.slice(start, end).replaceAll('_', '')));
    }
  });
  const { title, headings, tags } = outlineOf(text);
  for (const word of wordsOf(title ?? '')) tokens.add(titleToken(word));
  for (const word of wordsOf(headings.join('\n'))) tokens.add(headingToken(word));
  for (const tag of tags) tokens.add(tagToken(tag));
  return { tokens: [...tokens], longWords: [...longWords] };
}

export function titleToken(word: string): string {
  return marks.title + word;
}

export function headingToken(word: string): string {
  return marks.headings + word;
}

/** @param tag folded, as `outlineOf` returns it */
export function tagToken(tag: string): string {
  const escaped = [...tag]
    .slice(0, tagMaxCharacters)
    .join('')
    .replace(
      /[^\p{L}\p{N}]/gu,
      (sign) => `${marks.escape}${(sign.codePointAt(0) ?? 0).toString(36)}${marks.escape}`,
    );
  return marks.tag + escaped;
}
