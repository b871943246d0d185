import { Worker } from 'node:worker_threads';
import { WorkspaceError } from '@stoa/core';
import type { AnchoringAnswer, AnchoringQuestion } from './anchoring-protocol.ts';

/** One thread that answers one question after the other. It starts with the first, and again after it died. */
export interface AnchoringLane extends AsyncDisposable {
  /** The buffers are handed over: their bytes are gone here afterwards. */
  ask(question: AnchoringQuestion, buffers: readonly ArrayBuffer[]): Promise<AnchoringAnswer>;
}

/** Questions that wait hold contents in memory; whoever asks bounds those, this bounds what was forgotten there. */
const waitingMax = 64;
/** The bounds of the functions keep them far below it. */
const answerMsMax = 60_000;
const threadMemoryMegabytes = 512;

/** @param threadUrl the module that posts one `AnchoringAnswer` for each `AnchoringQuestion`. */
export function createAnchoringLane(threadUrl: URL): AnchoringLane {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;

  function startedWorker(): Worker {
    if (worker !== null) return worker;
    const started = new Worker(threadUrl, {
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMegabytes },
    });
    const forget = () => {
      if (worker === started) worker = null;
    };
    started.on('error', forget).on('exit', forget);
    // Only a question keeps the process from ending.
    started.unref();
    worker = started;
    return started;
  }

  async function putToThread(
    question: AnchoringQuestion,
    buffers: readonly ArrayBuffer[],
  ): Promise<AnchoringAnswer> {
    if (closed) throw new WorkspaceError('shutting_down');
    const thread = startedWorker();
    thread.ref();
    try {
      const answer = answerOf(thread);
      thread.postMessage(question, [...buffers]);
      return await answer;
    } finally {
      thread.unref();
    }
  }

  return {
    async ask(question, buffers) {
      if (waiting >= waitingMax) throw new WorkspaceError('overloaded');
      waiting += 1;
      const turn = last.then(() => putToThread(question, buffers));
      last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await worker?.terminate();
    },
  };
}

function answerOf(thread: Worker): Promise<AnchoringAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      thread.off('message', whenAnswered).off('error', whenFailed).off('exit', whenEnded);
      end();
    };
    const whenAnswered = (answer: AnchoringAnswer) => settle(() => resolve(answer));
    const whenFailed = (error: unknown) => settle(() => reject(error));
    const whenEnded = () => settle(() => reject(new WorkspaceError('shutting_down')));
    const timer = setTimeout(() => {
      settle(() => reject(new WorkspaceError('overloaded', {}, 'Finding the quoted text took too long')));
      void thread.terminate();
    }, answerMsMax);
    thread.on('message', whenAnswered).on('error', whenFailed).on('exit', whenEnded);
  });
}
