import {
  createRanking,
  type FindFilter,
  type FindQuery,
  findLimitMax,
  foldersAbove,
  isWithin,
  literalTokens,
  type MatchingLine,
  type PathPrefix,
  parseFindQuery,
  type WorkspacePath,
} from '@stoa/core';
import { createWorkMeter, type WorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../access.ts';
import type { ExaminedText, TextQuestion } from '../content-search/examine-text.ts';
import type { IndexedHolders } from '../content-search/indexed-texts.ts';
import { type VisibleFiles, withVisibleFiles } from '../content-search/visible-files.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import {
  type Candidate,
  createCandidate,
  Facts,
  indexQuestion,
  isMarkdownFile,
  nameContains,
  outlineTokens,
  type QueryParts,
  queryParts,
} from './candidate.ts';
import { type ExamineBudget, examineFiles } from './examine-files.ts';
import { createFileFilter, type FileFilter } from './filter-files.ts';

export interface FindAsked {
  readonly query: string;
  /** At most 100. */
  readonly limit: number;
  readonly offset: number;
  /** Limits the search to what is in this folder. */
  readonly folder?: PathPrefix;
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
  'store' | 'blobs' | 'indexedTexts' | 'contentScanner' | 'currentFiles'
>;

const mebibyte = 1024 * 1024;
/** For texts that the index lacks, and for phrases. */
export const findBudget: ExamineBudget = { milliseconds: 2_000, bytes: 64 * mebibyte };
/** For counting the words in the best results, and for the lines of a page. */
const shownBudget: ExamineBudget = { milliseconds: 1_000, bytes: 16 * mebibyte };
/** Results whose words are counted. Others are ranked as if each word occurred once. */
const countedMax = 50;
const countedFileMaxBytes = 128 * 1024;
/** To read so few texts is as fast as to ask for the words of a phrase in them. */
const fewTexts = 10;

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
    withVisibleFiles(deps, access, { prefix: access.viewer.within, afterPath: null }, (files) =>
      new Find(deps, access, query, files).run(asked, budget),
    ),
  );
}

class Find {
  readonly #deps: FindDeps;
  readonly #access: WorkspaceAccess;
  readonly #query: FindQuery;
  readonly #parts: QueryParts;
  readonly #files: VisibleFiles;
  readonly #meter: WorkMeter = createWorkMeter();
  readonly #withLines = new Set<Candidate>();

  constructor(deps: FindDeps, access: WorkspaceAccess, query: FindQuery, files: VisibleFiles) {
    this.#deps = deps;
    this.#access = access;
    this.#query = query;
    this.#parts = queryParts(query);
    this.#files = files;
  }

  async run({ limit, offset, folder = '' }: FindAsked, budget: ExamineBudget): Promise<FindOutcome> {
    const { files, folders } = await this.#visible(folder);
    const { facts, indexed } = await this.#ask(files);
    const hits: Candidate[] = [];
    const unknown: Candidate[] = [];
    for (const candidate of [...folders, ...files]) {
      await this.#meter.spend(20 + 10 * this.#parts.words.length);
      const matches = facts.matches(candidate);
      if (matches === true) hits.push(candidate);
      else if (matches === null) unknown.push(candidate);
    }
    const toRead = await this.#withoutPhrases(unknown, indexed);
    const unread = await this.#readUnknown(toRead, budget);
    for (const candidate of toRead) if (facts.matches(candidate) === true) hits.push(candidate);
    const ranked = await this.#rank(hits, { facts, indexed, files });
    const end = offset + Math.min(limit, findLimitMax);
    const page = ranked.slice(offset, end);
    await this.#readLines(page);
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
      nextOffset: end < hits.length ? end : null,
    };
  }

  /** Returns what the viewer may see and the filters allow, as far as these need no text. */
  async #visible(folder: PathPrefix): Promise<{
    readonly files: readonly Candidate[];
    readonly folders: readonly Candidate[];
  }> {
    const { reader, pages } = this.#files;
    const within: readonly FindFilter[] = folder === '' ? [] : [{ kind: 'in', folder }];
    const filter = createFileFilter([...this.#query.filters, ...within], reader.users);
    const files: Candidate[] = [];
    const folders = new Set<WorkspacePath>();
    let lastParent = '';
    for await (const page of pages) {
      await filter.prepare(page);
      for (const file of page) {
        const { path } = file;
        await this.#meter.spend(path.length);
        const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
        if (filter.allowsFolders && parent !== lastParent) {
          lastParent = parent;
          for (const folder of foldersAbove(path)) folders.add(folder);
        }
        if (filter.allows(file)) files.push(createCandidate(path, file));
      }
    }
    return { files, folders: this.#shownFolders(folders, filter) };
  }

  #shownFolders(folders: ReadonlySet<WorkspacePath>, filter: FileFilter): readonly Candidate[] {
    const { within } = this.#access.viewer;
    return [...folders]
      .filter((folder) => isWithin(folder, within) && filter.allowsFolder(folder))
      .map((folder) => createCandidate(folder, null));
  }

  /** Asks the index which texts have the words. */
  async #ask(files: readonly Candidate[]): Promise<{ readonly facts: Facts; readonly indexed: Indexed }> {
    const { workspace, viewer } = this.#access;
    const { tokens, known } = indexQuestion(this.#parts);
    // Only asking parts is fast enough to ask for all files.
    const outlines = viewer.within === '' ? outlineTokens(this.#parts) : [];
    const { find, holders, among } = await this.#deps.indexedTexts.ask({
      workspaceId: workspace.id,
      viewer,
      tokens: [...tokens, ...outlines],
      ids: (find) =>
        files.flatMap(({ file, hasText }) => {
          const found = file === null || !hasText ? null : find(file.contentHash);
          return found?.isText === true ? [found.id] : [];
        }),
    });
    for (const candidate of files) {
      await this.#meter.spend(100);
      const { file, hasText } = candidate;
      const found = file === null || !hasText ? null : find(file.contentHash);
      if (found === null) continue;
      if (found.isText) candidate.id = found.id;
      else candidate.hasText = false;
    }
    const facts = new Facts(this.#query, this.#parts, known({ holders }));
    return {
      facts,
      indexed: { among, outlines: outlines.length === 0 ? null : holders.slice(tokens.length) },
    };
  }

  /** Leaves out texts that cannot contain a phrase, by all of their words: there may be many. */
  async #withoutPhrases(unknown: readonly Candidate[], { among }: Indexed): Promise<readonly Candidate[]> {
    const phrases = this.#query.groups
      .flatMap((terms) => (terms.length === 1 ? terms : []))
      .flatMap(({ phrase }) => phrase ?? []);
    const tokens = phrases.flatMap(literalTokens);
    const ids = unknown.flatMap(({ id }) => id ?? []);
    const found = tokens.length === 0 || ids.length <= fewTexts ? null : await among(ids, tokens);
    if (found === null) return unknown;
    return unknown.filter(
      (candidate) =>
        candidate.id === null ||
        found.every((having) => having.has(candidate.id ?? 0)) ||
        phrases.some((phrase) => nameContains(candidate, phrase)),
    );
  }

  /** Reads texts. @returns the number of those that the budget did not allow. */
  async #readUnknown(candidates: readonly Candidate[], budget: ExamineBudget): Promise<number> {
    // The index knows all of these but the phrases.
    const indexed = candidates.filter(({ id }) => id !== null);
    const question = { words: [], tags: [], phrases: this.#parts.phrases, query: null };
    const unread = await this.#read(indexed, budget, question, (candidate, { phrases }) => {
      candidate.phrases = phrases;
    });
    const others = candidates.filter(({ id }) => id === null);
    return unread + (await this.#examine(others, budget, null));
  }

  #examine(
    candidates: readonly Candidate[],
    budget: ExamineBudget,
    query: FindQuery | null,
  ): Promise<number> {
    return this.#read(candidates, budget, { ...this.#parts, query }, (candidate, text) => {
      candidate.examined = text;
    });
  }

  /** Reads the lines that are shown, and counts the words, once for each result. */
  async #readLines(ranked: readonly Ranked[]): Promise<void> {
    const candidates = ranked.map(({ candidate }) => candidate).filter((one) => !this.#withLines.has(one));
    for (const candidate of candidates) this.#withLines.add(candidate);
    await this.#examine(candidates, shownBudget, this.#query);
  }

  #read(
    candidates: readonly Candidate[],
    budget: ExamineBudget,
    question: TextQuestion,
    take: (candidate: Candidate, text: ExaminedText) => void,
  ): Promise<number> {
    const from = { deps: this.#deps, reader: this.#files.reader, workspaceId: this.#access.workspace.id };
    return examineFiles(from, candidates, question, budget, take);
  }

  async #rank(
    hits: readonly Candidate[],
    {
      facts,
      indexed,
      files,
    }: { readonly facts: Facts; readonly indexed: Indexed; readonly files: readonly Candidate[] },
  ): Promise<readonly Ranked[]> {
    const outlines = indexed.outlines ?? (await this.#outlines(hits, indexed));
    const texts = files.filter(({ hasText }) => hasText);
    const bytes = texts.reduce((sum, { file }) => sum + (file?.sizeBytes ?? 0), 0);
    const score = createRanking(this.#query, {
      averageLength: bytes / Math.max(1, texts.length),
      shareOf: (word) => (facts.frequency(word) + 1) / (texts.length + 1),
    });
    const rank = (candidate: Candidate): Ranked => ({
      candidate,
      score: score({
        path: candidate.path,
        length: candidate.file?.sizeBytes ?? 0,
        has: (field, word) => facts.isInField(candidate, field, word, outlines),
        count: (word) => facts.count(candidate, word),
      }),
    });
    const ranked: Ranked[] = [];
    for (const hit of hits) {
      await this.#meter.spend(200);
      ranked.push(rank(hit));
    }
    ranked.sort(byRank);
    const best = ranked.slice(0, countedMax);
    const counted = best.filter(({ candidate: { file } }) => (file?.sizeBytes ?? 0) <= countedFileMaxBytes);
    await this.#readLines(counted);
    return [...best.map(({ candidate }) => rank(candidate)).sort(byRank), ...ranked.slice(best.length)];
  }

  /** The texts with each word in their title, then in their headings. */
  async #outlines(hits: readonly Candidate[], { among }: Indexed): Promise<readonly ReadonlySet<number>[]> {
    const ids = hits.flatMap((hit) => (isMarkdownFile(hit) ? (hit.id ?? []) : []));
    return (ids.length === 0 ? null : await among(ids, outlineTokens(this.#parts))) ?? [];
  }
}

interface Indexed extends Pick<IndexedHolders, 'among'> {
  /** Null when the index was not asked for them. */
  readonly outlines: readonly (ReadonlySet<number> | null)[] | null;
}

interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

/** The more recent first among equals. */
function byRank(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    (b.candidate.file?.changedAt ?? 0) - (a.candidate.file?.changedAt ?? 0) ||
    (a.candidate.path < b.candidate.path ? -1 : 1)
  );
}
