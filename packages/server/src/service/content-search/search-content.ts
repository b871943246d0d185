// docs/decisions/0059-contents-in-an-index-beside.md
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type FoundLine,
  isWithin,
  type LineQuestion,
  type LineWindow,
  type PathPrefix,
  searchedFileMaxBytes,
  type Viewer,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { CurrentContent, FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type ContentScope, parseContentScope } from './content-scope.ts';
import { type IndexView, indexViewOf, readCandidates } from './index-view.ts';
import { contentsAtOnce, readContents } from './read-contents.ts';
import { readSight, type Sight } from './read-sight.ts';
import type { Scanned } from './scan-job.ts';

export interface ContentQuery extends LineQuestion {
  /** A folder, a file or a glob; empty: everything. */
  readonly path: string;
  /** Only files after this path are looked at; null: all. */
  readonly after: WorkspacePath | null;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundFile extends Pick<FileRow, 'path' | 'version' | 'contentHash'> {
  readonly lines: readonly FoundLine[];
}

export interface ContentFound {
  /** By path, those with lines on this page. */
  readonly files: readonly FoundFile[];
  readonly totalLines: number;
  readonly totalFiles: number;
  /** Texts that were looked through, or that the index knows to be without it. */
  readonly searchedFiles: number;
  readonly skipped: { readonly notText: number; readonly tooLarge: number };
  /** The first file that was not looked at any more; null: all of them were. */
  readonly stoppedAt: WorkspacePath | null;
  /** Of the lines with the same `after`; null when this page has the last one that was found. */
  readonly nextOffset: number | null;
  /** Where a search that goes on finds everything that is left, and reads least; null when nothing is. */
  readonly next: { readonly after: WorkspacePath | null; readonly offset: number } | null;
}

export type ContentSearchDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'contentIndex' | 'contentScanner' | 'knownNotText' | 'currentContents' | 'pathIndexes'
>;

/** What one search may take. */
export interface ContentBudget {
  readonly milliseconds: number;
  readonly bytes: number;
  /** Read after the page is full, only to count. */
  readonly countedBytes: number;
}

const mebibyte = 1024 * 1024;
export const contentBudget: ContentBudget = {
  milliseconds: 2_000,
  bytes: 64 * mebibyte,
  countedBytes: mebibyte,
};

/**
 * Lines of current texts that hold a text, any case unless told (interface: files, Search in contents). Every change that was
 * acknowledged before is found: what the index has not followed yet is read.
 * @throws WorkspaceError `invalid_request`, `invalid_path`, `overloaded`
 */
export function searchContent(
  deps: ContentSearchDeps,
  access: WorkspaceAccess,
  query: ContentQuery,
  budget: ContentBudget = contentBudget,
): Promise<ContentFound> {
  const scope = parseContentScope(query.path);
  const { viewer } = access;
  const workspaceId = access.workspace.id;
  return deps.contentScanner.searching(workspaceId, async () => {
    const giveUpAt = performance.now() + budget.milliseconds;
    // Before the snapshot: what is current there at the place of these candidates is among them.
    const candidates = await readCandidates(deps, workspaceId, query.text);
    return deps.store.snapshot(async (reader) => {
      const search = new Search(deps, access, query, { giveUpAt, ...budget });
      const prefix = seenPrefix(scope.prefix, viewer);
      if (prefix !== null) {
        const view = await indexViewOf(reader, workspaceId, candidates);
        const sight = await readSight(reader, deps.pathIndexes.turns, { workspaceId, viewer, prefix });
        await search.run(reader, { ...scope, prefix }, { view, sight });
      }
      return search.found();
    });
  });
}

interface Limits extends Omit<ContentBudget, 'milliseconds'> {
  readonly giveUpAt: number;
}

/** Of the files of one snapshot. */
interface Known {
  readonly view: IndexView;
  readonly sight: Sight;
}

class Search {
  readonly #deps: ContentSearchDeps;
  readonly #access: WorkspaceAccess;
  readonly #query: ContentQuery;
  readonly #limits: Limits;
  readonly #files: FoundFile[] = [];
  #batch: CurrentContent[] = [];
  #batchBytes = 0;
  #bytes = 0;
  #scannedBytes = 0;
  /** Of those before which the page was full; null: it is not. */
  #bytesOfPage: number | null = null;
  /** The last file whose lines stand all before the next page, and how many lines there are up to its end. */
  #passed: { readonly path: WorkspacePath | null; readonly lines: number };
  /** The last file of those that were looked at. */
  #lookedAt: WorkspacePath | null;
  #scanning: Promise<void> = Promise.resolve();
  #shown = 0;
  #totalLines = 0;
  #totalFiles = 0;
  #searched = 0;
  #notText = 0;
  #tooLarge = 0;
  #stoppedAt: WorkspacePath | null = null;

  constructor(deps: ContentSearchDeps, access: WorkspaceAccess, query: ContentQuery, limits: Limits) {
    this.#deps = deps;
    this.#access = access;
    this.#query = query;
    this.#limits = limits;
    this.#passed = { path: query.after, lines: 0 };
    this.#lookedAt = query.after;
    if (query.limit === 0) this.#bytesOfPage = 0;
  }

  async run(
    reader: Reader,
    { prefix, includes, rowsAtOnce }: ContentScope,
    { view, sight }: Known,
  ): Promise<void> {
    let isLate = false;
    for await (const page of this.#pages(reader, prefix, rowsAtOnce)) {
      for (const file of page) {
        if (!includes(file.path) || !sight(file.path)) continue;
        if (isLate) this.#stoppedAt = file.path;
        else if (await this.#look(reader, file, view)) this.#lookedAt = file.path;
        if (this.#stoppedAt !== null) break;
      }
      if (this.#stoppedAt !== null) break;
      // The first page is looked at in any case, so that whoever goes on gets on.
      isLate = performance.now() > this.#limits.giveUpAt;
    }
    await this.#flush(reader);
    await this.#scanning;
    // Files that the index knows to be without the text need not be gone through again.
    const isAllShown = this.#totalLines <= this.#query.offset + this.#shown;
    if (isAllShown) this.#passed = { path: this.#lookedAt, lines: this.#totalLines };
  }

  /** The files to look at, by path. A folder is read, and the list of all files is kept from search to search. */
  async *#pages(reader: Reader, prefix: PathPrefix, rows: number): AsyncGenerator<readonly CurrentContent[]> {
    const workspaceId = this.#access.workspace.id;
    let afterPath = this.#query.after;
    if (prefix === '') {
      yield* this.#deps.currentContents.pages(reader, workspaceId, { afterPath, rows });
      return;
    }
    for (;;) {
      const query = { workspaceId, prefix, afterPath, limit: rows };
      const page: readonly CurrentContent[] = await reader.files.contentsPage(query);
      yield page;
      if (page.length < rows) return;
      afterPath = page.at(-1)?.path ?? null;
      await nextTurn();
    }
  }

  found(): ContentFound {
    const { offset } = this.#query;
    const last = offset + this.#shown;
    const nextOffset = this.#shown > 0 && this.#totalLines > last ? last : null;
    const passed = this.#passed;
    const isLeft = nextOffset !== null || this.#stoppedAt !== null;
    return {
      files: this.#files,
      totalLines: this.#totalLines,
      totalFiles: this.#totalFiles,
      searchedFiles: this.#searched,
      skipped: { notText: this.#notText, tooLarge: this.#tooLarge },
      stoppedAt: this.#stoppedAt,
      nextOffset,
      next: isLeft ? { after: passed.path, offset: last - passed.lines } : null,
    };
  }

  /** @returns false when the search has to end before this file. */
  async #look(reader: Reader, file: CurrentContent, view: IndexView): Promise<boolean> {
    if (file.sizeBytes > searchedFileMaxBytes) this.#tooLarge += 1;
    else if (view.isKnownNotText(file.contentHash)) this.#notText += 1;
    else if (!view.mayHold(file)) this.#searched += 1;
    else {
      if (this.#isOver(file)) {
        this.#stoppedAt = file.path;
        return false;
      }
      this.#batch.push(file);
      this.#batchBytes += file.sizeBytes;
      this.#bytes += file.sizeBytes;
      const isFull = this.#batch.length >= contentsAtOnce.count || this.#batchBytes >= contentsAtOnce.bytes;
      if (isFull) await this.#flush(reader);
    }
    return true;
  }

  #isOver({ sizeBytes }: CurrentContent): boolean {
    const { bytes, countedBytes, giveUpAt } = this.#limits;
    const counted = this.#bytesOfPage === null ? 0 : this.#bytes - this.#bytesOfPage;
    if (this.#bytes + sizeBytes > bytes || counted > countedBytes) return true;
    // The first contents are looked at in any case: whoever goes on with a search gets on.
    return this.#bytes > 0 && this.#batch.length === 0 && performance.now() > giveUpAt;
  }

  /** The next contents are read while those before are looked through. */
  async #flush(reader: Reader): Promise<void> {
    const files = this.#batch;
    if (files.length === 0) return;
    this.#batch = [];
    this.#batchBytes = 0;
    const workspaceId = this.#access.workspace.id;
    const contents = await readContents({ reader, blobs: this.#deps.blobs }, workspaceId, files);
    await this.#scanning;
    const window: LineWindow = {
      skip: Math.max(0, this.#query.offset - this.#totalLines),
      take: this.#query.limit - this.#shown,
    };
    const { text, matchCase, context } = this.#query;
    const present = contents.filter((bytes) => bytes !== null);
    this.#notText += contents.length - present.length;
    const readable = files.filter((_, at) => contents[at] !== null);
    const job = { contents: present, question: { text, matchCase, context }, window };
    this.#scanning = this.#deps.contentScanner
      .scan(workspaceId, job)
      .then((scanned) => this.#take(readable, scanned));
    // It is waited for below; until then a failure is not an unhandled one.
    this.#scanning.catch(() => {});
  }

  #take(files: readonly CurrentContent[], scanned: readonly Scanned[]): void {
    const { limit, offset } = this.#query;
    for (const [at, { path, version, contentHash, sizeBytes }] of files.entries()) {
      const one = scanned[at];
      this.#scannedBytes += sizeBytes;
      if (one === undefined || one.kind === 'not_text') {
        this.#notText += 1;
        continue;
      }
      this.#searched += 1;
      if (one.total > 0) {
        this.#totalFiles += 1;
        this.#totalLines += one.total;
      }
      if (one.lines.length > 0) {
        this.#shown += one.lines.length;
        this.#files.push({ path, version, contentHash, lines: one.lines });
        if (this.#shown >= limit) this.#bytesOfPage = this.#scannedBytes;
      }
      if (this.#totalLines <= offset + this.#shown) this.#passed = { path, lines: this.#totalLines };
    }
  }
}

/** The part of what is asked for that the viewer's key reaches; null: none of it. */
function seenPrefix(prefix: PathPrefix, { within }: Viewer): PathPrefix | null {
  if (isWithin(prefix, within)) return prefix;
  return isWithin(within, prefix) ? within : null;
}
