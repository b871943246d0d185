import { wordMaxCharacters } from '@stoa/core';
import { type TextTokens, textTokens } from '@stoa/core/text-tokens';
import { type AskedToken, textOf } from '../../service/ports/word-index.ts';

/** @returns null for a content that is not text */
export function indexedText(bytes: Uint8Array): TextTokens | null {
  const text = textOf(bytes);
  return text === null ? null : textTokens(text);
}

/** Returns the text to look for in a list. */
export function patternOf({ text, isStart, isEnd }: AskedToken): string {
  return `${isStart ? '\n' : ''}${text}${isEnd ? '\n' : ''}`;
}

/** Returns the token as the index has it: long words are cut there. Null if its start is not known. */
export function indexTokenOf({
  text,
  isStart,
  isEnd,
}: AskedToken): { text: string; isPrefix: boolean } | null {
  if (!isStart) return null;
  if (text.length <= wordMaxCharacters) return { text, isPrefix: !isEnd };
  return { text: text.slice(0, wordMaxCharacters - 1), isPrefix: true };
}

/** Tokens that one pass over the lists looks for: their bits fit a number. */
export const tokensAtOnce = 30;

/** Returns the ids of the rows that have each bit. */
export function idsByBit(
  count: number,
  rows: readonly { readonly id: number; readonly bits: number }[],
): readonly Float64Array[] {
  return Array.from({ length: count }, (_, at) =>
    Float64Array.from(
      rows.filter(({ bits }) => ((bits >> at) & 1) === 1),
      ({ id }) => id,
    ),
  );
}

/** Parses the ids that a database returns as one text: a row for each would take longer than the search. */
export function numbersIn(list: unknown): Float64Array {
  return typeof list === 'string' ? Float64Array.from(list.split(','), Number) : new Float64Array();
}

export type Contents = readonly Uint8Array[];

/** A row of words in UTF-8, one in each line. */
export interface ListRow {
  readonly words: Uint8Array;
  readonly longWords: Uint8Array;
}

/** Far below the most that PostgreSQL indexes of one row. */
const rowMaxCharacters = 128 * 1024;
const utf8 = new TextEncoder();

/** Divides the words of a content into rows. Null for a content that is not text. */
export function listRows(bytes: Uint8Array): readonly ListRow[] | null {
  const indexed = indexedText(bytes);
  if (indexed === null) return null;
  const rows: ListRow[] = [];
  let words: string[] = [];
  let characters = 0;
  const add = (longWords: readonly string[]) => {
    rows.push({ words: utf8.encode(words.join('\n')), longWords: utf8.encode(longWords.join('\n')) });
    words = [];
    characters = 0;
  };
  for (const token of indexed.tokens) {
    words.push(token);
    characters += token.length + 1;
    if (characters > rowMaxCharacters) add([]);
  }
  add(indexed.longWords);
  return rows;
}
