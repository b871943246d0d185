import { Worker } from 'node:worker_threads';
import type { MarkdownText } from './render-markdown.ts';

/** More at once are shown as plain text rather than kept waiting. */
const waitingMax = 32;
/** Starting the thread included, on a busy machine. */
const renderingMsMax = 5_000;
const threadMemoryMegabytes = 256;

export interface MarkdownRenderer extends AsyncDisposable {
  /** As `renderMarkdown`; null when it takes too long, or when too many are waiting. */
  render(text: MarkdownText): Promise<string | null>;
}

/**
 * Renders in a thread of its own, one text after the other: a parser takes long over hostile text, and must hold up nobody
 * else's request. A thread that takes too long is ended, and the next text starts a new one.
 * @param threadUrl the module that answers each `MarkdownText` it is sent with its HTML.
 */
export function createMarkdownRenderer(threadUrl: URL): MarkdownRenderer {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const startThread = () => {
    const started = new Worker(threadUrl, {
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMegabytes },
    });
    // Waiting for texts keeps no process alive.
    started.unref();
    // Failing is answered where somebody waits; while nobody does, the next text starts another thread.
    started.on('error', () => {});
    started.once('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  };
  const renderNow = async (text: MarkdownText): Promise<string | null> => {
    worker ??= startThread();
    const html = await answerOf(worker, text);
    if (html !== null) return html;
    await worker?.terminate();
    worker = null;
    return null;
  };
  return {
    async render(text) {
      if (waiting >= waitingMax) return null;
      waiting += 1;
      const turn = last.then(() => renderNow(text));
      last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate();
      worker = null;
    },
  };
}

/** Null when the thread failed, or took too long. */
function answerOf(worker: Worker, text: MarkdownText): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (html: string | null) => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', whenFailed).off('exit', whenFailed);
      resolve(html);
    };
    const whenFailed = () => settle(null);
    const timer = setTimeout(whenFailed, renderingMsMax);
    worker.on('message', settle).on('error', whenFailed).on('exit', whenFailed);
    worker.postMessage(text);
  });
}
