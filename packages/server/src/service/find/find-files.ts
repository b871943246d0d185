import {
  type AskedWord,
  allOf,
  createRanking,
  type Fact,
  type FindQuery,
  type FindTerm,
  fileNameOf,
  findLimitMax,
  foldCase,
  foldersAbove,
  isInOneLine,
  isMarkdown,
  isWithin,
  literalTokens,
  type MatchingLine,
  matchesTerms,
  parseFindQuery,
  type RankedField,
  searchedFileMaxBytes,
  visitAskedWords,
  type WorkspacePath,
} from '@stoa/core';
import { headingToken, tagToken, titleToken } from '@stoa/core/text-tokens';
import { createWorkMeter, type WorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../access.ts';
import type { IndexAnswer } from '../content-search/indexed-texts.ts';
import { readVisibility } from '../content-search/read-visibility.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { AskedToken } from '../ports/word-index.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type ExamineBudget, examineFiles } from './examine-files.ts';
import type { ExaminedText } from './examine-text.ts';
import { createFileFilter, type FileFilter } from './filter-files.ts';

export interface FindAsked {
  readonly query: string;
  /** At most 100. */
  readonly limit: number;
  readonly offset: number;
}

export interface FoundItem {
  readonly path: WorkspacePath;
  /** Null for a folder. */
  readonly file: CurrentContent | null;
  readonly title: string | null;
  readonly score: number;
  readonly matches: readonly MatchingLine[];
}

export interface FindOutcome {
  /** Best first. */
  readonly results: readonly FoundItem[];
  readonly total: number;
  /** False when some texts could not be read within the budget. */
  readonly isTotalExact: boolean;
  readonly nextOffset: number | null;
}

export type FindDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'indexedTexts' | 'contentScanner' | 'currentContents' | 'pathIndexes'
>;

const mebibyte = 1024 * 1024;
/** For texts that the index lacks, and for phrases. */
export const findBudget: ExamineBudget = { milliseconds: 2_000, bytes: 64 * mebibyte };
/** For counting the words in the best results, and for the lines of a page. */
const shownBudget: ExamineBudget = { milliseconds: 1_000, bytes: 16 * mebibyte };
/** Results whose words are counted. Others are ranked as if each word occurred once. */
const countedMax = 100;
const countedFileMaxBytes = 256 * 1024;
const pageRows = 2000;

/**
 * Finds files and folders that match a query of words, phrases and filters, best first (interface: files, Find). It finds
 * everything that was acknowledged before it began; texts that the index lacks are read.
 * @throws WorkspaceError `invalid_request` for an empty or too long query, `overloaded`
 */
export function findFiles(
  deps: FindDeps,
  access: WorkspaceAccess,
  asked: FindAsked,
  budget: ExamineBudget = findBudget,
): Promise<FindOutcome> {
  const query = parseFindQuery(asked.query);
  return deps.contentScanner.searching(access.workspace.id, () =>
    deps.store.snapshot((reader) => new Find(deps, access, query, reader).run(asked, budget)),
  );
}

/** A file or folder with what is known about it. Arrays are in the order of the query's words. */
interface Candidate {
  readonly path: WorkspacePath;
  readonly file: CurrentContent | null;
  readonly inPath: readonly boolean[];
  readonly inName: readonly boolean[];
  /** False for a folder, a file that is too large, and bytes that are known to be no text. */
  hasText: boolean;
  /** Set when the index has the text. */
  id: number | null;
  examined: ExaminedText | null;
}

/** One search in a snapshot. */
class Find {
  readonly #deps: FindDeps;
  readonly #access: WorkspaceAccess;
  readonly #query: FindQuery;
  readonly #reader: Reader;
  readonly #meter: WorkMeter = createWorkMeter();
  readonly #words: readonly AskedWord[];
  readonly #positions: ReadonlyMap<AskedWord, number>;
  readonly #phrases: readonly string[];
  readonly #tags: readonly string[];
  readonly #holders = new Map<string, ReadonlySet<number>>();
  readonly #none: readonly boolean[];

  constructor(deps: FindDeps, access: WorkspaceAccess, query: FindQuery, reader: Reader) {
    this.#deps = deps;
    this.#access = access;
    this.#query = query;
    this.#reader = reader;
    const terms = [...query.groups.flat(), ...query.excluded];
    this.#words = terms.flatMap(({ words }) => words);
    this.#positions = new Map(this.#words.map((word, at) => [word, at]));
    this.#phrases = terms.flatMap(({ phrase }) => (phrase === null ? [] : [phrase]));
    this.#tags = query.filters.flatMap((filter) => (filter.kind === 'tag' ? [filter.tag] : []));
    this.#none = this.#words.map(() => false);
  }

  async run({ limit, offset }: FindAsked, budget: ExamineBudget): Promise<FindOutcome> {
    const filter = createFileFilter(this.#query.filters, this.#reader.users);
    const { files, folders } = await this.#visible(filter);
    const answer = await this.#ask(files);
    const hits: Candidate[] = [];
    const unknown: Candidate[] = [];
    const sort = (candidate: Candidate) => {
      const matches = this.#matches(candidate);
      if (matches === true) hits.push(candidate);
      else if (matches === null) unknown.push(candidate);
    };
    for (const folder of folders) sort(folder);
    for (const file of files) {
      await this.#meter.spend(this.#words.length * 10 + 20);
      sort(file);
    }
    const toRead = await this.#withoutPhrases(unknown, answer);
    const unread = await this.#examine(toRead, budget, null);
    for (const candidate of toRead) if (this.#matches(candidate) === true) hits.push(candidate);
    const ranked = await this.#rank(
      hits,
      files,
      answer,
      Math.min(offset + Math.min(limit, findLimitMax), hits.length),
    );
    const page = ranked.slice(offset, offset + Math.min(limit, findLimitMax));
    await this.#examine(
      page.map(({ candidate }) => candidate),
      shownBudget,
      this.#query,
    );
    const end = offset + page.length;
    return {
      results: page.map(({ candidate: { path, file, examined }, score }) => ({
        path,
        file,
        title: examined?.title ?? null,
        score,
        matches: examined?.lines ?? [],
      })),
      total: hits.length,
      isTotalExact: unread === 0,
      nextOffset: page.length > 0 && end < hits.length ? end : null,
    };
  }

  /** Returns what the viewer may see and the filters allow, as far as these need no text. */
  async #visible(
    filter: FileFilter,
  ): Promise<{ readonly files: Candidate[]; readonly folders: Candidate[] }> {
    const { viewer, workspace } = this.#access;
    const { pathIndexes, currentContents } = this.#deps;
    const prefix = viewer.within;
    const wanted = { workspaceId: workspace.id, viewer, prefix };
    const isVisible =
      prefix === '' ? await readVisibility(this.#reader, pathIndexes.ticks, wanted) : () => true;
    const files: Candidate[] = [];
    const folders = new Map<WorkspacePath, Candidate>();
    let lastParent = '';
    const pages =
      prefix === ''
        ? currentContents.pages(this.#reader, workspace.id, { afterPath: null, rows: pageRows })
        : this.#pagesWithin();
    for await (const page of pages) {
      await filter.prepare(page);
      for (const file of page) {
        const { path } = file;
        await this.#meter.spend(path.length * (this.#words.length + 1));
        if (!isVisible(path)) continue;
        const parent = path.slice(0, Math.max(0, path.length - fileNameOf(path).length - 1));
        if (filter.allowsFolders && parent !== lastParent) {
          lastParent = parent;
          for (const folder of foldersAbove(path)) {
            if (!folders.has(folder)) folders.set(folder, this.#candidate(folder, null));
          }
        }
        if (filter.allows(file)) files.push(this.#candidate(path, file));
      }
    }
    const shown = [...folders.values()].filter(
      ({ path }) => isWithin(path, prefix) && filter.allowsFolder(path),
    );
    return { files, folders: shown };
  }

  /** The database takes no longer for hidden files below the viewer's folder. */
  async *#pagesWithin(): AsyncGenerator<readonly CurrentContent[]> {
    const { viewer, workspace } = this.#access;
    for (let afterPath: WorkspacePath | null = null; ; ) {
      const query = { workspaceId: workspace.id, viewer, prefix: viewer.within, afterPath, limit: pageRows };
      const page: readonly CurrentContent[] = await this.#reader.files.detailedPage(query);
      yield page;
      if (page.length < pageRows) return;
      afterPath = page.at(-1)?.path ?? null;
    }
  }

  #candidate(path: WorkspacePath, file: CurrentContent | null): Candidate {
    const nameStart = path.length - fileNameOf(path).length;
    let inPath: boolean[] | null = null;
    let inName: boolean[] | null = null;
    // A folder is found by its name only.
    visitAskedWords(file === null ? path.slice(nameStart) : path, this.#words, (at, start) => {
      inPath ??= [...this.#none];
      inPath[at] = true;
      if (file !== null && start < nameStart) return;
      inName ??= [...this.#none];
      inName[at] = true;
    });
    const hasText = file !== null && file.sizeBytes <= searchedFileMaxBytes;
    return {
      path,
      file,
      inPath: inPath ?? this.#none,
      inName: inName ?? this.#none,
      hasText,
      id: null,
      examined: null,
    };
  }

  /** Asks the index which texts have the words. */
  async #ask(files: readonly Candidate[]): Promise<IndexAnswer> {
    const starts = this.#phrases.flatMap((phrase) => literalTokens(phrase).filter(({ isStart }) => isStart));
    const tokens: AskedToken[] = [
      ...this.#words.map(({ word, isPrefix }) => ({ text: word, isStart: true, isEnd: !isPrefix })),
      ...this.#tags.map((tag) => ({ text: tagToken(tag), isStart: true, isEnd: true })),
      ...starts,
    ];
    const { workspace, viewer } = this.#access;
    const answer = await this.#deps.indexedTexts.ask({
      workspaceId: workspace.id,
      viewer,
      tokens,
      ids: (find) =>
        files.flatMap(({ file, hasText }) => {
          const found = file === null || !hasText ? null : find(file.contentHash);
          return found?.isText === true ? [found.id] : [];
        }),
    });
    for (const candidate of files) {
      const { file, hasText } = candidate;
      const found = file === null || !hasText ? null : answer.find(file.contentHash);
      if (found === null) continue;
      if (found.isText) candidate.id = found.id;
      else candidate.hasText = false;
    }
    for (const [at, token] of tokens.entries()) {
      const ids = answer.holders[at];
      if (ids !== undefined && ids !== null) this.#holders.set(keyOf(token), ids);
    }
    return answer;
  }

  #matches(candidate: Candidate): Fact {
    const terms = matchesTerms<Fact>(this.#query, {
      has: (word) => this.#hasWord(candidate, word),
      contains: (phrase) => this.#contains(candidate, phrase),
    });
    if (terms === false) return false;
    const tags = allOf<string, Fact>(this.#tags, (tag) => this.#hasTag(candidate, tag));
    return tags === true ? terms : tags;
  }

  #hasWord(candidate: Candidate, word: AskedWord): Fact {
    const at = this.#positions.get(word) ?? -1;
    if (candidate.inPath[at] === true) return true;
    const { hasText, id, examined } = candidate;
    if (examined !== null) return (examined.counts[at] ?? 0) > 0;
    if (!hasText) return false;
    return this.#holds(id, { text: word.word, isStart: true, isEnd: !word.isPrefix });
  }

  /** Null when only the bytes can tell. */
  #holds(id: number | null, token: AskedToken): Fact {
    const holders = this.#holders.get(keyOf(token));
    return id === null || holders === undefined ? null : holders.has(id);
  }

  #hasTag({ path, file, hasText, id, examined }: Candidate, tag: string): Fact {
    if (file === null || !isMarkdown(path, file.contentType)) return false;
    if (examined !== null) return examined.tags[this.#tags.indexOf(tag)] === true;
    return hasText ? this.#holds(id, { text: tagToken(tag), isStart: true, isEnd: true }) : false;
  }

  /** The index only shows that a text cannot contain a phrase. */
  #contains({ path, file, hasText, id, examined }: Candidate, phrase: string): Fact {
    if (!isInOneLine(phrase)) return false;
    if (foldCase(file === null ? fileNameOf(path) : path).includes(phrase)) return true;
    if (examined !== null) return examined.phrases[this.#phrases.indexOf(phrase)] === true;
    if (!hasText) return false;
    return literalTokens(phrase).some((token) => this.#holds(id, token) === false) ? false : null;
  }

  /** Leaves out texts that cannot contain a phrase, by all words of them: there may be many. */
  async #withoutPhrases(
    unknown: readonly Candidate[],
    { among }: IndexAnswer,
  ): Promise<readonly Candidate[]> {
    const terms = this.#query.groups.flatMap((group) => (group.length === 1 ? group : []));
    const tokens = terms.flatMap(({ phrase }: FindTerm) => (phrase === null ? [] : literalTokens(phrase)));
    const ids = unknown.flatMap(({ id }) => (id === null ? [] : [id]));
    if (tokens.length === 0 || ids.length <= countedMax / 10) return unknown;
    const found = await among(ids, tokens);
    if (found === null) return unknown;
    return unknown.filter(
      ({ id, path }) =>
        id === null ||
        found.every((having) => having.has(id)) ||
        terms.some(({ phrase }) => phrase !== null && foldCase(path).includes(phrase)),
    );
  }

  /** Reads texts. @returns the number of those that the budget did not allow. */
  #examine(
    candidates: readonly Candidate[],
    budget: ExamineBudget,
    query: FindQuery | null,
  ): Promise<number> {
    const question = { words: this.#words, phrases: this.#phrases, tags: this.#tags, query };
    const from = { deps: this.#deps, reader: this.#reader, workspaceId: this.#access.workspace.id };
    return examineFiles(from, candidates, question, budget);
  }

  async #rank(
    hits: readonly Candidate[],
    files: readonly Candidate[],
    { among }: IndexAnswer,
    shown: number,
  ): Promise<readonly Ranked[]> {
    const outlines = await this.#outlines(hits, among);
    const texts = files.filter(({ file }) => file !== null && file.sizeBytes <= searchedFileMaxBytes);
    const bytes = texts.reduce((sum, { file }) => sum + (file?.sizeBytes ?? 0), 0);
    const score = createRanking(this.#query, {
      averageLength: bytes / Math.max(1, texts.length),
      shareOf: ({ word, isPrefix }) => {
        const ids = this.#holders.get(keyOf({ text: word, isStart: true, isEnd: !isPrefix }));
        return ((ids?.size ?? 0) + 1) / (texts.length + 1);
      },
    });
    const rank = (candidate: Candidate): Ranked => ({
      candidate,
      score: score({
        path: candidate.path,
        length: candidate.file?.sizeBytes ?? 0,
        has: (field, word) => this.#isIn(candidate, field, word, outlines),
        count: (word) => {
          const { examined, inPath } = candidate;
          const at = this.#positions.get(word) ?? -1;
          if (examined !== null) return examined.counts[at] ?? 0;
          return inPath[at] === true || candidate.file === null
            ? 0
            : this.#hasWord(candidate, word) === true
              ? 1
              : 0;
        },
      }),
    });
    const ranked: Ranked[] = [];
    for (const hit of hits) {
      await this.#meter.spend(200);
      ranked.push(rank(hit));
    }
    ranked.sort(byRank);
    const best = ranked.slice(0, Math.max(countedMax, Math.min(shown, 2 * countedMax)));
    const counted = best.filter(
      ({ candidate: { file } }) => file !== null && file.sizeBytes <= countedFileMaxBytes,
    );
    await this.#examine(
      counted.map(({ candidate }) => candidate),
      shownBudget,
      null,
    );
    return [...best.map(({ candidate }) => rank(candidate)).sort(byRank), ...ranked.slice(best.length)];
  }

  /** The texts with each word in their title or headings. */
  async #outlines(hits: readonly Candidate[], among: IndexAnswer['among']): Promise<Outlines> {
    const ids = hits.flatMap(({ id, file, path }) =>
      id === null || file === null || !isMarkdown(path, file.contentType) ? [] : [id],
    );
    const tokens = this.#words.flatMap(({ word, isPrefix }) =>
      [titleToken(word), headingToken(word)].map((text) => ({ text, isStart: true, isEnd: !isPrefix })),
    );
    const found = ids.length === 0 ? null : await among(ids, tokens);
    return {
      title: this.#words.map((_, at) => found?.[2 * at] ?? new Set()),
      headings: this.#words.map((_, at) => found?.[2 * at + 1] ?? new Set()),
    };
  }

  #isIn(
    { inName, inPath, examined, id }: Candidate,
    field: RankedField,
    word: AskedWord,
    outlines: Outlines,
  ): boolean {
    const at = this.#positions.get(word) ?? -1;
    switch (field) {
      case 'name':
        return inName[at] === true;
      case 'path':
        return inPath[at] === true;
      case 'title':
        return examined !== null
          ? examined.inTitle[at] === true
          : id !== null && outlines.title[at]?.has(id) === true;
      case 'headings':
        return examined !== null
          ? examined.inHeadings[at] === true
          : id !== null && outlines.headings[at]?.has(id) === true;
    }
  }
}

interface Outlines {
  readonly title: readonly ReadonlySet<number>[];
  readonly headings: readonly ReadonlySet<number>[];
}

interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

function byRank(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    (b.candidate.file?.changedAt ?? 0) - (a.candidate.file?.changedAt ?? 0) ||
    (a.candidate.path < b.candidate.path ? -1 : 1)
  );
}

function keyOf({ text, isStart, isEnd }: AskedToken): string {
  return `${isStart ? '' : '…'}${text}${isEnd ? '' : '*'}`;
}
