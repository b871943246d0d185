import { createWorkerPool, type WorkerLimits } from '../concurrency/worker-pool.ts';
import { type MessageReader, messageReaderOf } from '../http/mcp/message-reader.ts';
import { type MarkdownRenderer, markdownRendererOf } from '../http/pages/share/markdown/markdown-renderer.ts';
import { type AskAnchoring, askAnchoringOf } from '../service/comments/anchoring.ts';
import { type ThemeCleaner, themeCleanerOf } from '../service/themes/theme-cleaner.ts';

/** What is computed away from the thread that answers requests: hostile or large, it holds up nobody. */
export interface Workers extends AsyncDisposable {
  readonly askAnchoring: AskAnchoring;
  readonly markdown: MarkdownRenderer;
  readonly messages: MessageReader;
  readonly themes: ThemeCleaner;
}

const anchoringEntry = new URL('./anchoring-worker.ts', import.meta.url);
const markdownEntry = new URL('./markdown-worker.ts', import.meta.url);
const messageEntry = new URL('./message-worker.ts', import.meta.url);
const themeEntry = new URL('./theme-worker.ts', import.meta.url);

/** What waits holds contents in memory: whoever asks bounds those. The functions' own bounds stay far below the time. */
const anchoringLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 512,
  answerMs: 60_000,
  waitingMax: 64,
};

const markdownLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 256,
  answerMs: 5_000,
  waitingMax: 32,
};

const messageLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 2_048,
  answerMs: 30_000,
  waitingMax: 1_000,
};

/** Themes are set by hand: more than a few at once is not how anybody uses them. */
const themeLimits: WorkerLimits = {
  threads: 1,
  memoryMegabytes: 128,
  answerMs: 5_000,
  waitingMax: 8,
};

export function createWorkers(): Workers {
  const disposables: AsyncDisposable[] = [];
  function pool<Question, Answer>(entry: URL, limits: WorkerLimits) {
    const opened = createWorkerPool<Question, Answer>(entry, limits);
    disposables.push(opened);
    return opened;
  }
  return {
    askAnchoring: askAnchoringOf(
      pool(anchoringEntry, anchoringLimits),
      pool(anchoringEntry, anchoringLimits),
    ),
    markdown: markdownRendererOf(pool(markdownEntry, markdownLimits)),
    messages: messageReaderOf(pool(messageEntry, messageLimits)),
    themes: themeCleanerOf(pool(themeEntry, themeLimits)),
    async [Symbol.asyncDispose]() {
      await Promise.all(disposables.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
