// Our own, because a task needs limits of memory and time that start when it runs, and fairness by key.
import { parentPort, Worker } from 'node:worker_threads';
import { WorkspaceError } from '@stoa/core';
import { createSemaphore } from './semaphore.ts';

/** Worker threads for tasks, started on demand. */
export interface WorkerPool<Question, Result> extends AsyncDisposable {
  /**
   * @param options.keys the owner of the task, see `Semaphore.acquire`
   * @param options.transfer buffers to transfer; their bytes are gone here afterwards
   * @throws WorkspaceError `overloaded` if too many wait, `shutting_down` after the pool is disposed of; the error
   * that ended the thread, which is a bug there
   */
  ask(
    question: Question,
    options?: { readonly keys?: readonly string[]; readonly transfer?: readonly ArrayBuffer[] },
  ): Promise<WorkerOutcome<Result>>;
}

export type WorkerOutcome<Result> =
  | { readonly kind: 'answered'; readonly result: Result }
  /** It exceeded its limit of time or memory. The thread was ended; the next task starts another. */
  | { readonly kind: 'exhausted'; readonly limit: 'time' | 'memory' };

export interface WorkerLimits {
  readonly threads: number;
  /** Heap of one thread; the bytes of buffers do not count. */
  readonly memoryMegabytes: number;
  /** Time for one task, counted from the moment at which its thread is ready. */
  readonly taskMs: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax?: number;
}

/** A thread that takes longer to load its code counts as failed. */
const startMsMax = 60_000;
/** Idle threads are ended, because a large task leaves them with much memory. */
const idleMsDefault = 60_000;

/** @param url the module that calls `handleQuestions`, with a function of these types */
export function createWorkerPool<Question, Result>(
  url: URL,
  { threads, memoryMegabytes, taskMs: responseMs, waitingMax, waitingOfOneMax = waitingMax }: WorkerLimits,
  { idleMs }: { readonly idleMs: number } = { idleMs: idleMsDefault },
): WorkerPool<Question, Result> {
  const semaphore = createSemaphore(threads, { waitingMax, waitingOfOneMax });
  const alive = new Set<Worker>();
  const idle = new Map<Worker, NodeJS.Timeout>();
  let closed = false;

  async function start(): Promise<Worker> {
    const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes } });
    alive.add(worker);
    // A waiting task gets the error. If no task waits, the next one starts another thread.
    worker.on('error', () => {});
    worker.once('exit', () => {
      alive.delete(worker);
      clearTimeout(idle.get(worker));
      idle.delete(worker);
    });
    const first = await nextMessage(worker, startMsMax);
    if (first.kind === 'message') return worker;
    await worker.terminate();
    throw closed ? new WorkspaceError('shutting_down') : endedWithout(first);
  }

  function reuse(): Worker | undefined {
    const [found] = idle;
    if (found === undefined) return undefined;
    const [worker, timer] = found;
    clearTimeout(timer);
    idle.delete(worker);
    // Only a running task keeps the process alive.
    worker.ref();
    return worker;
  }

  function keepIdle(worker: Worker): void {
    if (!alive.has(worker)) return;
    worker.unref();
    const end = () => {
      idle.delete(worker);
      void worker.terminate();
    };
    idle.set(worker, setTimeout(end, idleMs).unref());
  }

  async function run(question: Question, transfer: readonly ArrayBuffer[]): Promise<WorkerOutcome<Result>> {
    const worker = reuse() ?? (await start());
    if (closed) throw new WorkspaceError('shutting_down');
    const responded = nextMessage(worker, responseMs);
    worker.postMessage(question, [...transfer]);
    const next = await responded;
    if (next.kind === 'message') {
      keepIdle(worker);
      return { kind: 'answered', result: next.message as Result };
    }
    await worker.terminate();
    if (closed) throw new WorkspaceError('shutting_down');
    if (next.kind === 'time') return { kind: 'exhausted', limit: 'time' };
    if (isOutOfMemory(next.error)) return { kind: 'exhausted', limit: 'memory' };
    throw endedWithout(next);
  }

  return {
    ask: (question, { keys = [], transfer = [] } = {}) =>
      semaphore.run(() => run(question, transfer), ...keys),
    async [Symbol.asyncDispose]() {
      closed = true;
      const unused = semaphore.close();
      await Promise.all([...alive].map((worker) => worker.terminate()));
      await unused;
    },
  };
}

type Next =
  | { readonly kind: 'message'; readonly message: unknown }
  | { readonly kind: 'ended'; readonly error: Error | null }
  | { readonly kind: 'time' };

function nextMessage(worker: Worker, limitMs: number): Promise<Next> {
  return new Promise((resolve) => {
    const settle = (next: Next) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('messageerror', onError).off('exit', onExit);
      resolve(next);
    };
    const onMessage = (message: unknown) => settle({ kind: 'message', message });
    const onError = (error: unknown) =>
      settle({ kind: 'ended', error: error instanceof Error ? error : new Error(String(error)) });
    const onExit = () => settle({ kind: 'ended', error: null });
    const timer = setTimeout(() => settle({ kind: 'time' }), limitMs);
    worker.on('message', onMessage).on('error', onError).on('messageerror', onError).on('exit', onExit);
  });
}

function isOutOfMemory(error: Error | null): boolean {
  return error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function endedWithout(next: Exclude<Next, { kind: 'message' }>): Error {
  if (next.kind === 'time') return new Error('a worker did not start in time');
  return next.error ?? new Error('a worker ended without a result');
}

/**
 * The body of a worker: runs the tasks of its `WorkerPool` one after another. An error of `handle` ends the thread.
 * @param transferOf returns buffers of the result to transfer rather than copy
 */
export function handleQuestions<Question, Result>(
  handle: (question: Question) => Result | Promise<Result>,
  transferOf: (result: Result) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new Error('tasks run in a worker only');
  port.on('message', async (question: Question) => {
    const responded = await handle(question);
    port.postMessage(responded, [...transferOf(responded)]);
  });
  // The time limit starts here and does not include loading code.
  port.postMessage('ready');
}
