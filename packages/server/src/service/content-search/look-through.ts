// docs/decisions/0026-content-index.md
import { type LineWindow, searchedFileMaxBytes, type WorkspacePath } from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { FileRow } from '../ports/files.ts';
import type { ContentScope } from './content-scope.ts';
import type { LiteralView } from './literal-view.ts';
import { type BatchReader, contentsAtOnce, createBatchReader, nextBatch } from './read-contents.ts';
import type { Scanned } from './scan-job.ts';
import type {
  ContentBudget,
  ContentFound,
  ContentQuery,
  ContentSearchDeps,
  FoundFile,
} from './search-content.ts';
import type { VisibleFiles } from './visible-files.ts';

type SearchedFile = Pick<FileRow, 'path' | 'version' | 'contentHash' | 'sizeBytes'>;

interface Limits extends Omit<ContentBudget, 'milliseconds'> {
  readonly giveUpAt: number;
}

/** Files that were skipped without reading them. */
interface Passed {
  without: number;
  notText: number;
  tooLarge: number;
  /** The last file that was checked. */
  lookedAt: WorkspacePath | null;
}

interface Waiting {
  readonly file: SearchedFile;
  /** The counts before this file. */
  readonly before: Readonly<Passed>;
}

/** The first batch is an eighth of the maximum: when many files contain the text, the first few fill a page. */
const firstShare = 1 / 8;

/** One search in progress, by path. */
export class LookThrough {
  readonly #scanner: ContentSearchDeps['contentScanner'];
  readonly #workspaceId: string;
  readonly #pages: VisibleFiles['pages'];
  readonly #reading: BatchReader<SearchedFile>;
  readonly #query: ContentQuery;
  readonly #limits: Limits;
  readonly #files: FoundFile[] = [];
  /** Queued for reading. */
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #share = firstShare;
  #readBytes = 0;
  #scannedBytes = 0;
  /** Bytes read when the page became full; null before that. */
  #bytesOfPage: number | null = null;
  /** The last file whose lines are all before the next page, and the number of lines up to its end. */
  #shownTo: { readonly path: WorkspacePath | null; readonly lines: number };
  readonly #passed: Passed;
  #shown = 0;
  #totalLines = 0;
  #totalFiles = 0;
  #searched = 0;
  #notText = 0;
  #stoppedAt: WorkspacePath | null = null;

  constructor(
    { blobs, contentScanner }: Pick<ContentSearchDeps, 'blobs' | 'contentScanner'>,
    workspaceId: string,
    { reader, pages }: VisibleFiles,
    query: ContentQuery,
    limits: Limits,
  ) {
    this.#scanner = contentScanner;
    this.#workspaceId = workspaceId;
    this.#pages = pages;
    this.#reading = createBatchReader({ reader, blobs }, workspaceId);
    this.#query = query;
    this.#limits = limits;
    this.#shownTo = { path: query.after, lines: 0 };
    this.#passed = { without: 0, notText: 0, tooLarge: 0, lookedAt: query.after };
    if (query.limit === 0) this.#bytesOfPage = 0;
  }

  async run({ includes, words }: ContentScope, view: LiteralView): Promise<void> {
    let isLate = false;
    const meter = createWorkMeter();
    for await (const page of this.#pages) {
      const files: SearchedFile[] = [];
      for (const file of page) {
        await meter.spend(file.path.length * (words + 1));
        if (includes(file.path)) files.push(file);
      }
      const mayHave = await view.mayHave(files);
      for (const file of files) {
        if (isLate || !(await this.#look(file, view, mayHave))) this.#stoppedAt = file.path;
        if (this.#stoppedAt !== null) break;
      }
      if (this.#stoppedAt !== null) break;
      // The first page is always scanned, so that repeated searches make progress.
      isLate = performance.now() > this.#limits.giveUpAt;
    }
    if (this.#stoppedAt !== null && this.#isCounting()) this.#leaveWaiting();
    while (this.#waiting.length > 0) await this.#readSome();
    await this.#reading.end();
    // The next search can skip files that the index knows not to contain the text.
    const isAllShown = this.#totalLines <= this.#query.offset + this.#shown;
    if (isAllShown) this.#shownTo = { path: this.#passed.lookedAt, lines: this.#totalLines };
  }

  found(): ContentFound {
    const { offset } = this.#query;
    const last = offset + this.#shown;
    const nextOffset = this.#shown > 0 && this.#totalLines > last ? last : null;
    const { without, notText, tooLarge } = this.#passed;
    const isLeft = nextOffset !== null || this.#stoppedAt !== null;
    return {
      files: this.#files,
      totalLines: this.#totalLines,
      totalFiles: this.#totalFiles,
      searchedFiles: this.#searched + without,
      skipped: { notText: this.#notText + notText, tooLarge },
      stoppedAt: this.#stoppedAt,
      nextOffset,
      next: isLeft ? { after: this.#shownTo.path, offset: last - this.#shownTo.lines } : null,
    };
  }

  /** @returns false when the search has to end before this file. */
  async #look(
    file: SearchedFile,
    view: LiteralView,
    mayHave: (file: SearchedFile) => boolean,
  ): Promise<boolean> {
    const passed = this.#passed;
    if (file.sizeBytes > searchedFileMaxBytes) passed.tooLarge += 1;
    else if (view.isKnownNotText(file.contentHash)) passed.notText += 1;
    else if (!mayHave(file)) passed.without += 1;
    else {
      if (this.#isOver(file)) return false;
      this.#waiting.push({ file, before: { ...passed } });
      this.#waitingBytes += file.sizeBytes;
      const isEnough =
        this.#waiting.length >= contentsAtOnce.count * this.#share ||
        this.#waitingBytes >= contentsAtOnce.bytes * this.#share;
      if (isEnough && !this.#isCounting()) await this.#readSome();
    }
    passed.lookedAt = file.path;
    return true;
  }

  /** The page is full, and further reading only counts: it may be in vain if the budget ends first. */
  #isCounting(): boolean {
    return this.#bytesOfPage !== null && this.#query.limit > 0;
  }

  /** Counts queued files as not searched. */
  #leaveWaiting(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#stoppedAt = first.file.path;
    Object.assign(this.#passed, first.before);
    this.#waiting = [];
  }

  #isOver({ sizeBytes }: SearchedFile): boolean {
    const { bytes, countedBytes, giveUpAt } = this.#limits;
    const taken = this.#readBytes + this.#waitingBytes;
    const counted = this.#bytesOfPage === null ? 0 : taken - this.#bytesOfPage;
    if (taken + sizeBytes > bytes || counted > countedBytes) return true;
    // The first contents are always scanned, so that repeated searches make progress.
    return taken > 0 && this.#waiting.length === 0 && performance.now() > giveUpAt;
  }

  async #readSome(): Promise<void> {
    const { text, matchCase, context, offset, limit } = this.#query;
    const batch = this.#takeWaiting();
    await this.#reading.read(batch, async (read, missing) => {
      const window: LineWindow = {
        skip: Math.max(0, offset - this.#totalLines),
        take: limit - this.#shown,
      };
      this.#notText += missing.length;
      const job = {
        contents: read.map(({ bytes }) => bytes),
        question: { text, matchCase, context },
        window,
      };
      const scanned = await this.#scanner.scan(this.#workspaceId, job);
      this.#take(
        read.map(({ wanted }) => wanted),
        scanned,
      );
    });
  }

  #takeWaiting(): readonly SearchedFile[] {
    const waiting = this.#waiting.map(({ file }) => file);
    const files = nextBatch(waiting, 0, contentsAtOnce.bytes);
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#waiting = this.#waiting.slice(files.length);
    this.#waitingBytes -= bytes;
    this.#readBytes += bytes;
    this.#share = Math.min(1, 2 * this.#share);
    return files;
  }

  #take(files: readonly SearchedFile[], scanned: readonly Scanned[]): void {
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
      if (this.#totalLines <= offset + this.#shown) this.#shownTo = { path, lines: this.#totalLines };
    }
  }
}
