import { foldCase } from '../search/find-lines.ts';
import type { AskedWord, FindQuery, FindTerm } from './find-query.ts';
import { wordsOf } from './words.ts';

/** Null for a fact that is not known yet. */
export type Fact = boolean | null;

/** Evaluates the terms of a query for one file. The filters need more facts and are not part of it. */
export interface FileFacts<Known extends Fact = boolean> {
  /** Whether the path or the text has the word. */
  has(word: AskedWord): Known;
  /** Whether the path or one line of the text contains the text, folded by `foldCase`. */
  contains(phrase: string): Known;
}

/** Returns whether a file matches the words, phrases and excluded terms; null if that depends on an unknown fact. */
export function matchesTerms<Known extends Fact>(
  { groups, excluded }: FindQuery,
  file: FileFacts<Known>,
): boolean | Known {
  const facts = groups.map((terms) => anyOf(terms, (term) => matchesTerm(term, file)));
  for (const term of excluded) {
    const matches = matchesTerm(term, file);
    facts.push(matches === null ? matches : !matches);
  }
  return allOf(facts, (fact) => fact);
}

function matchesTerm<Known extends Fact>(
  { words, phrase }: FindTerm,
  file: FileFacts<Known>,
): boolean | Known {
  return phrase === null ? allOf(words, (word) => file.has(word)) : file.contains(phrase);
}

export function allOf<Item, Known extends Fact>(
  items: readonly Item[],
  test: (item: Item) => Known,
): boolean | Known {
  let all: boolean | Known = true;
  for (const item of items) {
    const fact = test(item);
    if (fact === false) return false;
    if (fact === null) all = fact;
  }
  return all;
}

function anyOf<Item, Known extends Fact>(
  items: readonly Item[],
  test: (item: Item) => Known,
): boolean | Known {
  let any: boolean | Known = false;
  for (const item of items) {
    const fact = test(item);
    if (fact === true) return true;
    if (fact === null) any = fact;
  }
  return any;
}

/** Reads the facts from the path and the text; a file without text has its path only. */
export function factsOf(path: string, text: string | null): FileFacts {
  const words = wordsOf(text === null ? path : `${path}\n${text}`);
  const folded = foldCase(text === null ? path : `${path}\n${text}`);
  return {
    has: ({ word, isPrefix }) =>
      words.has(word) || (isPrefix && words.values().some((each) => each.startsWith(word))),
    contains: (phrase) => isInOneLine(phrase) && folded.includes(phrase),
  };
}

/** A text with a line break is in no line. */
export function isInOneLine(phrase: string): boolean {
  return !phrase.includes('\n');
}
