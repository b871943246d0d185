import { parseConflictedCopyPath } from '../files/conflicted-copy-path.ts';
import { fileNameOf, placeholderName, type WorkspacePath } from '../workspace-path.ts';
import type { AskedWord, FindQuery, FindTerm } from './find-query.ts';
import { visitWords } from './words.ts';

export type RankedField = keyof typeof fieldCounts;

/** The facts by which a matching file is ranked. */
export interface RankedFile {
  readonly path: WorkspacePath;
  /** Of the text, in bytes. */
  readonly length: number;
  has(field: RankedField, word: AskedWord): boolean;
  /** Returns how often the text has the word. */
  count(word: AskedWord): number;
}

export interface RankedCorpus {
  /** Of a text, in bytes. */
  readonly averageLength: number;
  /** Returns the share of all files that have the word, from 0 to 1. */
  shareOf(word: AskedWord): number;
}

/** Each step up outweighs everything below it. */
const steps = { text: 1, path: 2, headings: 3, title: 4, namePrefix: 5, name: 6 } as const;
/** Divides the scores of files that come last. Theirs are below 1. */
const lastDivisor = 10;
/** A word in a field counts as this many times in the text. */
const fieldCounts = { name: 8, title: 6, headings: 3, path: 2 } as const;
const fieldTimes = Object.entries(fieldCounts) as readonly [RankedField, number][];
/** The usual constants of BM25: the saturation of repeated words, and the influence of the length. */
const saturation = 1.2;
const lengthShare = 0.75;

/**
 * Scores files that match a query: exact name, start of the name, title, headings, path, text. Within each of these, by
 * BM25 over all fields. Conflicted copies and placeholders of folders come after all other files. The score is above 0,
 * and comparable between files of one query only.
 */
export function createRanking(query: FindQuery, corpus: RankedCorpus): (file: RankedFile) => number {
  const groups = query.groups;
  const asked = groups.flat().flatMap(({ words }) => words);
  const weights = new Map(
    asked.map((word) => [word, Math.log(1 + 1 / Math.max(corpus.shareOf(word), 1e-6))]),
  );
  const sequence = groups.flatMap((terms) => terms[0]?.words ?? []);
  const weightOf = ({ words }: FindTerm) => words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const most = groups.reduce((sum, terms) => sum + Math.max(...terms.map(weightOf)), 0);
  return (file) => {
    const name = fileNameOf(file.path);
    const lengthFactor = 1 - lengthShare + (lengthShare * file.length) / Math.max(1, corpus.averageLength);
    const worthOf = (word: AskedWord): number => {
      let count = file.count(word) / lengthFactor;
      for (const [field, times] of fieldTimes) {
        if (file.has(field, word)) count += times;
      }
      return ((weights.get(word) ?? 0) * count) / (count + saturation);
    };
    const worthOfTerm = ({ words }: FindTerm) => words.reduce((sum, word) => sum + worthOf(word), 0);
    const worth = groups.reduce((sum, terms) => sum + Math.max(...terms.map(worthOfTerm)), 0);
    // Below 1, so that it never outweighs a step.
    const score = stepOf() + (most === 0 ? 0 : worth / (most * 1.001));
    const isLast = name === placeholderName || parseConflictedCopyPath(file.path) !== null;
    return isLast ? score / lastDivisor : score;

    function stepOf(): number {
      if (asked.length === 0) return steps.text;
      const isAllIn = (field: RankedField) =>
        groups.every((terms) => terms.some((term) => term.words.every((word) => file.has(field, word))));
      const names = sequence.every((word) => file.has('name', word)) ? sequencesOf(name) : [];
      if (names.some((words) => words.length === sequence.length && startsWith(words, sequence, false)))
        return steps.name;
      if (names.some((words) => startsWith(words, sequence, true))) return steps.namePrefix;
      if (isAllIn('title')) return steps.title;
      if (isAllIn('headings')) return steps.headings;
      return isAllIn('path') ? steps.path : steps.text;
    }
  };
}

/** Returns the words of a file name in order, with its extension and without. */
function sequencesOf(name: string): readonly (readonly string[])[] {
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? [name, name.slice(0, dot)] : [name]).map((text) => {
    const words: string[] = [];
    visitWords(text, (word, _start, _end, kind) => {
      if (kind === 'whole') words.push(word);
    });
    return words;
  });
}

/** Returns true if the words begin with those of the query. Only with `mayCut`, prefixes of the query count as such. */
function startsWith(words: readonly string[], asked: readonly AskedWord[], mayCut: boolean): boolean {
  return asked.every(({ word, isPrefix }, at) => {
    const other = words[at];
    return other === word || (mayCut && isPrefix && other?.startsWith(word) === true);
  });
}
