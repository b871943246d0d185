import { foldCase } from '../search/find-lines.ts';
import type { AskedWord, FindQuery, FindTerm } from './find-query.ts';
import { wordsOf } from './words.ts';

/** Evaluates the terms of a query for one file. The filters need more facts and are not part of it. */
export interface FileFacts {
  /** Whether the path or the text has the word. */
  has(word: AskedWord): boolean;
  /** Whether the path or one line of the text contains the text, folded by `foldCase`. */
  contains(phrase: string): boolean;
}

/** Whether a file matches the words, phrases and excluded terms of a query. */
export function matchesTerms({ groups, excluded }: FindQuery, file: FileFacts): boolean {
  return (
    groups.every((terms) => terms.some((term) => matchesTerm(term, file))) &&
    !excluded.some((term) => matchesTerm(term, file))
  );
}

function matchesTerm({ words, phrase }: FindTerm, file: FileFacts): boolean {
  return phrase === null ? words.every((word) => file.has(word)) : file.contains(phrase);
}

/** Reads the facts from the path and the text; a file without text has its path only. */
export function factsOf(path: string, text: string | null): FileFacts {
  const words = wordsOf(text === null ? path : `${path}\n${text}`);
  const folded = foldCase(text === null ? path : `${path}\n${text}`);
  return {
    has: ({ word, isPrefix }) =>
      words.has(word) || (isPrefix && words.values().some((each) => each.startsWith(word))),
    contains: (phrase) => folded.includes(phrase),
  };
}
