// docs/decisions/0059-contents-in-an-index-beside.md
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type FoundLine,
  type LineQuestion,
  type LineWindow,
  searchedFileMaxBytes,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type ContentScope, parseContentScope } from './content-scope.ts';
import { type IndexView, indexViewOf, readCandidates } from './index-view.ts';
import { contentsAtOnce, readContents } from './read-contents.ts';
import type { Scanned } from './scan-job.ts';

export interface ContentQuery extends LineQuestion {
  /** A folder, a file or a glob; empty: everything. */
  readonly path: string;
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
  /** The first file that was not looked at any more, when the time or the bytes of a search were used up. */
  readonly stoppedAt: WorkspacePath | null;
  readonly nextOffset: number | null;
}

export type ContentSearchDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'contentIndex' | 'contentScanner' | 'knownNotText'
>;

/** What one search may take. */
export interface ContentBudget {
  readonly milliseconds: number;
  readonly bytes: number;
}

export const contentBudget: ContentBudget = { milliseconds: 2_000, bytes: 64 * 1024 * 1024 };

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
  const workspaceId = access.workspace.id;
  return deps.contentScanner.searching(workspaceId, async () => {
    const giveUpAt = performance.now() + budget.milliseconds;
    // Before the snapshot: what is current there at the place of these candidates is among them.
    const candidates = await readCandidates(deps, workspaceId, query.text);
    return deps.store.snapshot(async (reader) => {
      const view = await indexViewOf(reader, workspaceId, candidates);
      const search = new Search(deps, access, query, { giveUpAt, bytes: budget.bytes });
      await search.run(reader, scope, view);
      return search.found();
    });
  });
}

class Search {
  readonly #deps: ContentSearchDeps;
  readonly #access: WorkspaceAccess;
  readonly #query: ContentQuery;
  readonly #limits: { readonly giveUpAt: number; readonly bytes: number };
  readonly #files: FoundFile[] = [];
  #batch: FileRow[] = [];
  #batchBytes = 0;
  #bytes = 0;
  #scanning: Promise<void> = Promise.resolve();
  #shown = 0;
  #totalLines = 0;
  #totalFiles = 0;
  #searched = 0;
  #notText = 0;
  #tooLarge = 0;
  #stoppedAt: WorkspacePath | null = null;

  constructor(
    deps: ContentSearchDeps,
    access: WorkspaceAccess,
    query: ContentQuery,
    limits: { readonly giveUpAt: number; readonly bytes: number },
  ) {
    this.#deps = deps;
    this.#access = access;
    this.#query = query;
    this.#limits = limits;
  }

  async run(reader: Reader, { prefix, includes, rowsAtOnce }: ContentScope, view: IndexView): Promise<void> {
    const { viewer, workspace } = this.#access;
    let afterPath: WorkspacePath | null = null;
    for (;;) {
      const page: readonly FileRow[] = await reader.files.page({
        workspaceId: workspace.id,
        viewer,
        prefix,
        afterPath,
        limit: rowsAtOnce,
      });
      for (const file of page) {
        if (includes(file.path) && !(await this.#look(reader, file, view))) break;
      }
      afterPath = page.at(-1)?.path ?? null;
      if (page.length < rowsAtOnce || this.#stoppedAt !== null) break;
      await nextTurn();
    }
    await this.#flush(reader);
    await this.#scanning;
  }

  found(): ContentFound {
    const last = this.#query.offset + this.#shown;
    return {
      files: this.#files,
      totalLines: this.#totalLines,
      totalFiles: this.#totalFiles,
      searchedFiles: this.#searched,
      skipped: { notText: this.#notText, tooLarge: this.#tooLarge },
      stoppedAt: this.#stoppedAt,
      nextOffset: this.#shown > 0 && this.#totalLines > last ? last : null,
    };
  }

  /** @returns false when the search has to end before this file. */
  async #look(reader: Reader, file: FileRow, view: IndexView): Promise<boolean> {
    if (file.sizeBytes > searchedFileMaxBytes) this.#tooLarge += 1;
    else if (view.isKnownNotText(file.contentHash)) this.#notText += 1;
    else if (!view.mayHold(file)) this.#searched += 1;
    else {
      const isOver =
        this.#bytes + file.sizeBytes > this.#limits.bytes || performance.now() > this.#limits.giveUpAt;
      if (isOver) {
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

  #take(files: readonly FileRow[], scanned: readonly Scanned[]): void {
    for (const [at, { path, version, contentHash }] of files.entries()) {
      const one = scanned[at];
      if (one === undefined || one.kind === 'not_text') {
        this.#notText += 1;
        continue;
      }
      this.#searched += 1;
      if (one.total === 0) continue;
      this.#totalFiles += 1;
      this.#totalLines += one.total;
      if (one.lines.length === 0) continue;
      this.#shown += one.lines.length;
      this.#files.push({ path, version, contentHash, lines: one.lines });
    }
  }
}
