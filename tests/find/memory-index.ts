import {
  type AskedWord,
  createRanking,
  type FindFilter,
  type FindQuery,
  factsOf,
  foldCase,
  guessContentType,
  isOfType,
  matchesTerms,
  parseConflictedCopyPath,
  parseWorkspacePath,
  type RankedFile,
  visitWords,
  type WorkspacePath,
  wordsOf,
} from '@stoa/core';
import { outlineOf, type TextOutline } from '@stoa/core/text-outline';
import type { CorpusFile } from './corpus.ts';

interface IndexedFile extends TextOutline {
  readonly path: WorkspacePath;
  readonly text: string | null;
  readonly length: number;
}

/** The count of a word in the text of each file, by the number of the file. A word of the path alone counts 0 times. */
type Postings = ReadonlyMap<number, number>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An index in memory for tests of ranking: finds what `matchesTerms` finds. */
export class MemoryIndex {
  readonly #files: IndexedFile[] = [];
  /** By word: the numbers of its files, each followed by its count. */
  readonly #words = new Map<string, number[]>();

  constructor(corpus: readonly CorpusFile[]) {
    for (const { path, bytes } of corpus) this.#add(parseWorkspacePath(path), textOf(bytes));
  }

  /** Returns the matching paths, from the best to the worst. */
  find(query: FindQuery): readonly string[] {
    const terms = [...query.groups.flat(), ...query.excluded];
    const postings = new Map(
      terms.flatMap(({ words }) => words).map((word) => [word, this.#postingsOf(word)]),
    );
    const averageLength = this.#files.reduce((sum, { length }) => sum + length, 0) / this.#files.length;
    const score = createRanking(query, {
      averageLength,
      shareOf: (word) => (postings.get(word)?.size ?? 0) / this.#files.length,
    });
    const found: { readonly path: string; readonly score: number }[] = [];
    for (const [number, file] of this.#files.entries()) {
      const isMatch = matchesTerms(query, {
        has: (word) => postings.get(word)?.has(number) === true,
        contains: (phrase) => factsOf(file.path, file.text).contains(phrase),
      });
      if (!isMatch || !query.filters.every((filter) => passes(file, filter))) continue;
      const ranked: RankedFile = { ...file, count: (word) => postings.get(word)?.get(number) ?? 0 };
      found.push({ path: file.path, score: score(ranked) });
    }
    return found.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
  }

  #add(path: WorkspacePath, text: string | null): void {
    const number = this.#files.length;
    const counts = new Map<string, number>([...wordsOf(path)].map((word) => [word, 0]));
    let length = 0;
    visitWords(text ?? '', (word) => {
      length += 1;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    });
    for (const [word, count] of counts) {
      const postings = this.#words.get(word);
      if (postings === undefined) this.#words.set(word, [number, count]);
      else postings.push(number, count);
    }
    const none: TextOutline = { title: null, headings: [], tags: [] };
    const outline = text !== null && path.endsWith('.md') ? outlineOf(text) : none;
    this.#files.push({ path, text, length, ...outline });
  }

  #postingsOf({ word, isPrefix }: AskedWord): Postings {
    const counts = new Map<number, number>();
    const words = isPrefix ? this.#words.keys().filter((each) => each.startsWith(word)) : [word];
    for (const each of words) {
      const postings = this.#words.get(each) ?? [];
      for (let at = 0; at < postings.length; at += 2) {
        const [number = 0, count = 0] = postings.slice(at, at + 2);
        counts.set(number, (counts.get(number) ?? 0) + count);
      }
    }
    return counts;
  }
}

function passes({ path, tags }: IndexedFile, filter: FindFilter): boolean {
  switch (filter.kind) {
    case 'in':
      return path.startsWith(`${filter.folder}/`);
    case 'type':
      return isOfType(path, guessContentType(path), filter.type);
    case 'tag':
      return tags.includes(foldCase(filter.tag));
    case 'is':
      return parseConflictedCopyPath(path) !== null;
    default:
      throw new Error(`the corpus has no facts for the filter ${filter.kind}`);
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
