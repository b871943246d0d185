import { createWorkerPool, type WorkerLimits } from '../concurrency/worker-pool.ts';
import { type MarkdownRenderer, markdownRendererOf } from '../http/pages/share/markdown/markdown-renderer.ts';
import { type MessageReader, messageReaderOf } from '../http/request/message-reader.ts';
import { type AskAnchoring, askAnchoringOf } from '../service/comments/anchoring.ts';
import { type ContentScanner, createContentScanner } from '../service/content-search/content-scanner.ts';
import { createEditing, type Editing } from '../service/editing/editing.ts';
import {
  type ContentFrontMatter,
  contentFrontMatterOf,
} from '../service/front-matter/front-matter-reader.ts';
import { type ThemeCleaner, themeCleanerOf } from '../service/themes/theme-cleaner.ts';
import type { ListingPool } from '../storage/word-index/postgres-word-index.ts';
import type { IndexPool } from '../storage/word-index/sqlite-word-index.ts';

/** Work outside the thread that serves requests, so that hostile or large input delays no other request. */
export interface Workers extends AsyncDisposable {
  readonly askAnchoring: AskAnchoring;
  /** For the index of words: in a file, and in the service's database. */
  readonly wordIndex: {
    readonly asking: IndexPool;
    readonly adding: IndexPool;
    readonly listing: ListingPool;
  };
  readonly contentScanner: ContentScanner;
  readonly editing: Editing;
  readonly frontMatter: ContentFrontMatter;
  readonly markdown: MarkdownRenderer;
  readonly messages: MessageReader;
  readonly themes: ThemeCleaner;
}

const megabyte = 1024 * 1024;
const anchoringEntry = new URL('./anchoring-worker.ts', import.meta.url);
const wordListEntry = new URL('./word-list-worker.ts', import.meta.url);
const wordIndexEntry = new URL('./word-index-worker.ts', import.meta.url);
const contentScanEntry = new URL('./content-scan-worker.ts', import.meta.url);
const editingEntry = new URL('./editing-worker.ts', import.meta.url);
const frontMatterEntry = new URL('./front-matter-worker.ts', import.meta.url);
const markdownEntry = new URL('./markdown-worker.ts', import.meta.url);
const messageEntry = new URL('./message-worker.ts', import.meta.url);
const themeEntry = new URL('./theme-worker.ts', import.meta.url);

/**
 * Queued questions hold contents in memory, which their callers bound. The functions' own limits are far below the
 * timeout.
 */
const anchoringLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 512,
  taskMs: 60_000,
  waitingMax: 64,
};

/** A text of the maximum searched size takes some seconds. */
const wordListLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 256,
  taskMs: 10_000,
  waitingMax: 64,
};

/** A text of the maximum searched size takes two seconds to add. An operator's removal may take longer. */
const wordIndexLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 512,
  taskMs: 10 * 60_000,
  waitingMax: 1000,
};

/** Half a megabyte of text takes milliseconds; the largest hostile text takes seconds. */
const contentScanLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 512,
  taskMs: 10_000,
  waitingMax: 64,
};

/** A file of the maximum edited size takes a second or two. */
const editingLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 1024,
  taskMs: 8_000,
  waitingMax: 64,
  waitingOfOneMax: 32,
};

/** The worst block of 64 KiB takes a second; a block that times out counts as absent. */
const frontMatterLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 256,
  taskMs: 10_000,
  waitingMax: 64,
  waitingOfOneMax: 16,
};

/** Text that exceeds the limits is shown plain. */
const markdownLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 256,
  taskMs: 1_000,
  waitingMax: 64,
  waitingOfOneMax: 16,
};

const shortMessageLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 128,
  taskMs: 10_000,
  waitingMax: 64,
  waitingOfOneMax: 16,
};

/** A message holds a file's text several times: as JSON and as strings, with two bytes for each character. */
function longMessageLimits(maxFileBytes: number): WorkerLimits {
  return {
    threads: 1,
    memoryMegabytes: 256 + Math.ceil((8 * maxFileBytes) / megabyte),
    taskMs: 30_000,
    waitingMax: 8,
  };
}

/** Users set themes by hand, so more than a few at once is not normal use. */
const themeLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 128,
  taskMs: 5_000,
  waitingMax: 8,
};

/** @param maxFileBytes the largest file in a message. */
export function createWorkers({ maxFileBytes }: { readonly maxFileBytes: number }): Workers {
  const disposables: AsyncDisposable[] = [];
  function pool<Question, Result>(entry: URL, limits: WorkerLimits) {
    const opened = createWorkerPool<Question, Result>(entry, limits);
    disposables.push(opened);
    return opened;
  }
  return {
    askAnchoring: askAnchoringOf(
      pool(anchoringEntry, anchoringLimits),
      pool(anchoringEntry, anchoringLimits),
    ),
    wordIndex: {
      asking: pool(wordIndexEntry, wordIndexLimits),
      adding: pool(wordIndexEntry, wordIndexLimits),
      listing: pool(wordListEntry, wordListLimits),
    },
    contentScanner: createContentScanner(pool(contentScanEntry, contentScanLimits)),
    editing: createEditing(pool(editingEntry, editingLimits)),
    frontMatter: contentFrontMatterOf(pool(frontMatterEntry, frontMatterLimits)),
    markdown: markdownRendererOf(pool(markdownEntry, markdownLimits)),
    messages: messageReaderOf(
      pool(messageEntry, shortMessageLimits),
      pool(messageEntry, longMessageLimits(maxFileBytes)),
    ),
    themes: themeCleanerOf(pool(themeEntry, themeLimits)),
    async [Symbol.asyncDispose]() {
      await Promise.all(disposables.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
