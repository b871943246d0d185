/**
 * Splits text into the words that Find indexes and asks for. Index and query use the same function, so both databases
 * find the same files.
 */

import { isWithinCharacter } from '../search/find-lines.ts';

/** A longer word is cut, in the index and in the query alike. */
export const wordMaxCharacters = 64;

/**
 * `whole`: a word as it is written, without underscores. `part`: a part of an identifier, or the last character of a run
 * in a script without spaces. A query asks for whole words only.
 */
export type WordKind = 'whole' | 'part';

/** Receives a folded word with its range in the text, in UTF-16 units. */
export type VisitWord = (word: string, start: number, end: number, kind: WordKind) => void;

const runs = /[\p{L}\p{N}\p{M}_]+/gu;
/** Text in these scripts has no spaces between words, or (Korean) has words with attached particles. */
const unspaced =
  /(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\uff70\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|\u3099|\u309a)+/gu;
/** Whether a word can have parts. */
const hasParts = /_|.\p{Lu}/u;
const ascii = /^[\0-\x7f]*$/;
/** Parts of an identifier: `readFile` has `read` and `File`, `HTTPServer` has `HTTP` and `Server`. */
const humps = /\p{Lu}+(?!\p{Ll})[\p{M}\p{N}]*|\p{Lu}?[^\p{Lu}_]+|\p{Lu}/gu;
/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts, marks are vowels and belong to the word. */
const diacritics =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]|[\u0591-\u05c7]|[\u064b-\u065f]|\u0670/g;
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};
const specialLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Folds case, diacritics and compatibility forms: `Éclair`, `eclair` and `ＥＣＬＡＩＲ` become equal. */
export function foldWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(diacritics, '')
    .toLowerCase()
    .replace(specialLetters, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
    .normalize('NFC');
}

/** Calls `visit` for each word of the text, in order; for an identifier also for each of its parts. */
export function visitWords(text: string, visit: VisitWord): void {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (ascii.test(run)) {
      visitIdentifier(run, index, visit);
      continue;
    }
    let from = 0;
    for (const { 0: part, index: at } of run.matchAll(unspaced)) {
      if (at > from) visitIdentifier(run.slice(from, at), index + from, visit);
      visitPairs(part, index + at, visit);
      from = at + part.length;
    }
    if (from < run.length) visitIdentifier(run.slice(from), index + from, visit);
  }
}

/** Returns the folded words of a text, each once. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  visitWords(text, (word) => words.add(word));
  return words;
}

/** The words of a text as one string, each between two line feeds: compact, and fast to search. */
export type WordList = string;

export function wordListOf(words: Iterable<string>): WordList {
  return `\n${[...words].join('\n')}\n`;
}

export function listHas(
  list: WordList,
  { word, isPrefix }: { readonly word: string; readonly isPrefix: boolean },
): boolean {
  return list.includes(isPrefix ? `\n${word}` : `\n${word}\n`);
}

function visitIdentifier(run: string, start: number, visit: VisitWord): void {
  const end = start + run.length;
  const whole = cut(foldWord(run.includes('_') ? run.replaceAll('_', '') : run));
  if (whole === '') return;
  visit(whole, start, end, 'whole');
  // Most words of prose have no parts.
  if (!hasParts.test(run)) return;
  for (const { 0: hump, index } of run.matchAll(humps)) {
    const part = cut(foldWord(hump));
    if (part !== '' && part !== whole) visit(part, start + index, start + index + hump.length, 'part');
  }
}

/** Visits overlapping pairs, so that any part of at least two characters is found; one character is a prefix of its pair. */
function visitPairs(run: string, start: number, visit: VisitWord): void {
  const composed = run.normalize('NFC');
  const characters = [...composed];
  // The offsets of a decomposed text are not those of its composed form: then each range is the whole run.
  const isExact = composed.length === run.length;
  let at = start;
  const rangeOf = (length: number) =>
    isExact ? ([at, at + length] as const) : ([start, start + run.length] as const);
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    const [from, to] = rangeOf(character.length + (next?.length ?? 0));
    const word = foldWord(character + (next ?? ''));
    if (word !== '') visit(word, from, to, next !== undefined || characters.length === 1 ? 'whole' : 'part');
    at += character.length;
  }
}

function cut(word: string): string {
  if (word.length <= wordMaxCharacters) return word;
  return word.slice(
    0,
    isWithinCharacter(word, wordMaxCharacters) ? wordMaxCharacters - 1 : wordMaxCharacters,
  );
}

/** Returns true for a single character of a script without spaces, which the index has as the start of a pair. */
export function isLoneCharacter(word: string): boolean {
  const [first, second] = word;
  return first !== undefined && second === undefined && first.match(unspaced) !== null;
}
