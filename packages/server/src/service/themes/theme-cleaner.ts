import { Worker } from 'node:worker_threads';
import { invalidRequest, WorkspaceError } from '@stoa/core';
import type { ThemeAnswer } from './theme-protocol.ts';

/** Themes are set by hand: more than a few at once is no use that anybody makes of it. */
const waitingMax = 8;
const cleaningMsMax = 5_000;
const threadMemoryMegabytes = 128;

/** Takes out of theme CSS whatever could load, run or break out. */
export interface ThemeCleaner extends AsyncDisposable {
  /**
   * As `cleanThemeCss`, which says what stays.
   * @throws WorkspaceError `invalid_request` for CSS that cannot be read, `overloaded` when too many wait already.
   */
  clean(css: string): Promise<string | null>;
}

/**
 * Cleans in a thread that is started for each theme and ended with it, one at a time: a parser takes long over hostile
 * text, and must hold up nobody else's request.
 * @param threadUrl the module that posts one `ThemeAnswer` for the text in its `workerData`.
 */
export function createThemeCleaner(threadUrl: URL): ThemeCleaner {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let running: Worker | null = null;

  async function runThread(css: string): Promise<ThemeAnswer> {
    const worker = new Worker(threadUrl, {
      workerData: css,
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMegabytes },
    });
    running = worker;
    try {
      return await answerOf(worker);
    } finally {
      running = null;
      await worker.terminate();
    }
  }

  return {
    async clean(css) {
      if (waiting >= waitingMax) throw new WorkspaceError('overloaded');
      waiting += 1;
      const turn = last.then(() => runThread(css));
      last = turn.catch(() => {});
      try {
        const answer = await turn;
        if (answer.kind === 'refused') throw invalidRequest(answer.text);
        return answer.css;
      } finally {
        waiting -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      await running?.terminate();
    },
  };
}

function answerOf(worker: Worker): Promise<ThemeAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => resolve({ kind: 'refused', text: 'themeCss: it takes too long to read' }),
      cleaningMsMax,
    );
    const settle = (end: () => void) => {
      clearTimeout(timer);
      end();
    };
    worker.once('message', (answer: ThemeAnswer) => settle(() => resolve(answer)));
    worker.once('error', (error) => settle(() => reject(error)));
    worker.once('exit', () => settle(() => reject(new Error('a theme was not cleaned: its thread ended'))));
  });
}
