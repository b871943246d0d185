import {
  type AskedWord,
  allOf,
  type Fact,
  type FindQuery,
  fileNameOf,
  foldCase,
  isInOneLine,
  isMarkdown,
  listHas,
  literalTokens,
  matchesTerms,
  type RankedField,
  searchedFileMaxBytes,
  type WorkspacePath,
  wordsAsked,
} from '@stoa/core';
import { headingToken, tagToken, titleToken } from '@stoa/core/text-tokens';
import type { ExaminedText } from '../content-search/examine-text.ts';
import type { IndexedHolders } from '../content-search/indexed-texts.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { AskedToken } from '../ports/word-index.ts';
import { type PathWords, pathWordsOf } from './path-words.ts';

/** A file or folder that may match. */
export interface Candidate {
  readonly path: WorkspacePath;
  /** Null for a folder. */
  readonly file: CurrentContent | null;
  readonly words: PathWords;
  /** False for a folder, a file that is too large, and bytes that are known to be no text. */
  hasText: boolean;
  /** Set when the index has the text. */
  id: number | null;
  /** Set when the text was read. */
  examined: ExaminedText | null;
  /** Set when it was read for phrases only. */
  phrases: readonly boolean[] | null;
}

/** The parts of a query that are looked for in texts. The facts of texts are in their order. */
export interface QueryParts {
  readonly words: readonly AskedWord[];
  /** Folded by `foldCase`. */
  readonly phrases: readonly string[];
  readonly tags: readonly string[];
}

export function queryParts(query: FindQuery): QueryParts {
  const { groups, excluded, filters } = query;
  return {
    words: wordsAsked(query),
    phrases: [...groups.flat(), ...excluded].flatMap(({ phrase }) => (phrase === null ? [] : [phrase])),
    tags: filters.flatMap((filter) => (filter.kind === 'tag' ? [filter.tag] : [])),
  };
}

type Holders = readonly (ReadonlySet<number> | null)[];

/** The knowledge of the index about texts. Null where only the bytes can tell. */
interface Known {
  readonly words: Holders;
  readonly tags: Holders;
  /** For each phrase the texts with some of its words. */
  readonly phrases: readonly Holders[];
}

/** The tokens to ask the index for, and a function that sorts its response by the parts of the query. */
export function indexQuestion({ words, phrases, tags }: QueryParts): {
  readonly tokens: readonly AskedToken[];
  known(indexed: Pick<IndexedHolders, 'holders'>): Known;
} {
  const parts = phrases.map((phrase) => literalTokens(phrase).filter(({ isStart }) => isStart));
  const tokens = [
    ...words.map((word) => tokenOf(word)),
    ...tags.map((tag) => ({ text: tagToken(tag), isStart: true, isEnd: true })),
    ...parts.flat(),
  ];
  return {
    tokens,
    known({ holders }) {
      let from = 0;
      const take = (count: number) => {
        from += count;
        return holders.slice(from - count, from);
      };
      return {
        words: take(words.length),
        tags: take(tags.length),
        phrases: parts.map(({ length }) => take(length)),
      };
    },
  };
}

export function tokenOf({ word, isPrefix }: AskedWord, text = word): AskedToken {
  return { text, isStart: true, isEnd: !isPrefix };
}

/** The tokens that tell which texts have the words in their title, then in their headings. */
export function outlineTokens({ words }: QueryParts): readonly AskedToken[] {
  return [titleToken, headingToken].flatMap((mark) => words.map((word) => tokenOf(word, mark(word.word))));
}

/** The facts about candidates, from paths, the index, and texts that were read. */
export class Facts {
  readonly #query: FindQuery;
  readonly #parts: QueryParts;
  readonly #known: Known;
  readonly #positions: ReadonlyMap<AskedWord, number>;

  constructor(query: FindQuery, parts: QueryParts, known: Known) {
    this.#query = query;
    this.#parts = parts;
    this.#known = known;
    this.#positions = new Map(parts.words.map((word, at) => [word, at]));
  }

  /** Null while it depends on a text that has to be read. */
  matches(candidate: Candidate): Fact {
    const terms = matchesTerms<Fact>(this.#query, {
      has: (word) => this.hasWord(candidate, word),
      contains: (phrase) => this.#contains(candidate, phrase),
    });
    if (terms === false) return false;
    const tags = allOf<string, Fact>(this.#parts.tags, (tag) => this.#hasTag(candidate, tag));
    return tags === true ? terms : tags;
  }

  hasWord(candidate: Candidate, word: AskedWord): Fact {
    return isIn(candidate, 'path', word) || this.#textHas(candidate, word);
  }

  /** Returns how often the text has the word: once if it was not read. */
  count(candidate: Candidate, word: AskedWord): number {
    const at = this.#positions.get(word) ?? -1;
    if (candidate.examined !== null) return candidate.examined.counts[at] ?? 0;
    return this.#textHas(candidate, word) === true ? 1 : 0;
  }

  /** The number of texts of the index with the word. */
  frequency(word: AskedWord): number {
    return this.#known.words[this.#positions.get(word) ?? -1]?.size ?? 0;
  }

  isInField(candidate: Candidate, field: RankedField, word: AskedWord, outlines: Holders): boolean {
    if (field === 'name' || field === 'path') return isIn(candidate, field, word);
    const at = this.#positions.get(word) ?? -1;
    const { id, examined } = candidate;
    if (examined !== null) return examined[field === 'title' ? 'inTitle' : 'inHeadings'][at] === true;
    if (id === null || !isMarkdownFile(candidate)) return false;
    return outlines[field === 'title' ? at : this.#parts.words.length + at]?.has(id) === true;
  }

  #textHas({ hasText, id, examined }: Candidate, word: AskedWord): Fact {
    const at = this.#positions.get(word) ?? -1;
    if (examined !== null) return (examined.counts[at] ?? 0) > 0;
    return hasText ? held(this.#known.words[at], id) : false;
  }

  #hasTag(candidate: Candidate, tag: string): Fact {
    const { hasText, id, examined } = candidate;
    if (!hasText || !isMarkdownFile(candidate)) return false;
    const at = this.#parts.tags.indexOf(tag);
    return examined !== null ? examined.tags[at] === true : held(this.#known.tags[at], id);
  }

  /** The index only shows that a text cannot contain a phrase. */
  #contains(candidate: Candidate, phrase: string): Fact {
    const { hasText, id, examined, phrases } = candidate;
    if (!isInOneLine(phrase)) return false;
    if (nameContains(candidate, phrase)) return true;
    if (!hasText) return false;
    const at = this.#parts.phrases.indexOf(phrase);
    const read = examined?.phrases ?? phrases;
    if (read !== null) return read[at] === true;
    return this.#known.phrases[at]?.some((holders) => held(holders, id) === false) === true ? false : null;
  }
}

/** Whether the path contains the text, or the name of a folder, which is found by its name only. */
export function nameContains({ path, file }: Candidate, phrase: string): boolean {
  return foldCase(file === null ? fileNameOf(path) : path).includes(phrase);
}

export function createCandidate(path: WorkspacePath, file: CurrentContent | null): Candidate {
  const hasText = file !== null && file.sizeBytes <= searchedFileMaxBytes;
  return { path, file, words: pathWordsOf(path), hasText, id: null, examined: null, phrases: null };
}

export function isMarkdownFile({ path, file }: Pick<Candidate, 'path' | 'file'>): boolean {
  return file !== null && isMarkdown(path, file.contentType);
}

function isIn({ file, words }: Candidate, field: keyof PathWords, word: AskedWord): boolean {
  return listHas(file === null ? words.name : words[field], word);
}

function held(holders: ReadonlySet<number> | null | undefined, id: number | null): Fact {
  return id === null || holders === null || holders === undefined ? null : holders.has(id);
}
