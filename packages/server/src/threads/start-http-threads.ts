// docs/speed.md
import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Joining } from '../create-deps.ts';
import { writeBlock } from '../logging/logger.ts';
import type { MetricSamples } from '../metrics/http-metrics.ts';
import { StartError } from '../start/start-error.ts';
import type { FromThread, HttpThreadStart, ToThread } from './thread-messages.ts';

/** The HTTP threads in addition to the first one. */
export interface HttpThreads {
  /**
   * Resolves when all of them listen, each with one of these.
   * @throws StartError when one cannot listen, or the error of one; then all of them have ended.
   */
  join(joining: readonly Joining[]): Promise<void>;
  /**
   * Metrics of each joined thread, the last known ones of a late thread.
   * @throws Error when none are known of a thread.
   */
  samples(): Promise<readonly MetricSamples[]>;
  drain(): void;
  /**
   * As `HttpSide.stop`; each thread also closes its own resources. A thread that does not end in time is terminated.
   */
  stop(): Promise<'answered' | 'cut off'>;
  /** Terminates immediately, after a failed start. */
  end(): Promise<void>;
}

const samplesMs = 5_000;
/** Longer than its requests and its last log lines take. */
const stopMsMax = 60_000;

export interface ThreadListeners {
  /** The storage failed in one of them: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** One ended unexpectedly: the process has to end. */
  readonly onEnded: (error: Error) => void;
}

/**
 * Starts `count` threads, which load their modules while the first one opens the store that they join.
 * @param entry the module that calls `runHttpThread`.
 */
export function startHttpThreads(
  entry: URL,
  start: HttpThreadStart,
  count: number,
  logger: Logger,
  on: ThreadListeners,
): HttpThreads {
  const threads = Array.from({ length: count }, (_, index) =>
    startThread(entry, start, `http ${index + 2}`, logger, on),
  );
  let haveJoined = false;
  return {
    async join(joining) {
      try {
        await Promise.all(joining.map((each, index) => threads[index]?.join(each)));
        haveJoined = true;
      } catch (error) {
        await Promise.all(threads.map((thread) => thread.end()));
        throw error;
      }
    },
    samples: async () => (haveJoined ? Promise.all(threads.map((thread) => thread.samples())) : []),
    drain() {
      for (const thread of threads) thread.post({ kind: 'drain' });
    },
    async stop() {
      const outcomes = await Promise.all(threads.map((thread) => thread.stop()));
      return outcomes.includes('cut off') ? 'cut off' : 'answered';
    },
    async end() {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

function startThread(entry: URL, start: HttpThreadStart, name: string, logger: Logger, on: ThreadListeners) {
  const worker = new Worker(entry, { workerData: start, name });
  const listening = Promise.withResolvers<void>();
  // The caller of `join` gets the error.
  listening.promise.catch(() => {});
  const stopped = Promise.withResolvers<'answered' | 'cut off'>();
  let measuring: PromiseWithResolvers<MetricSamples> | null = null;
  let lastSamples: MetricSamples | null = null;
  let state: 'starting' | 'listening' | 'over' = 'starting';
  const post = (message: ToThread, transfer: readonly MessagePort[] = []) =>
    worker.postMessage(message, [...transfer]);

  const fail = (error: Error, report: (error: Error) => void) => {
    const failedIn = state;
    state = 'over';
    switch (failedIn) {
      case 'starting':
        return listening.reject(error);
      case 'listening':
        return report(error);
      case 'over':
        return;
    }
  };

  worker.on('message', (message: FromThread) => {
    switch (message.kind) {
      case 'listening':
        state = 'listening';
        return listening.resolve();
      case 'refused':
        return listening.reject(new StartError(message.message));
      case 'log':
        return writeBlock(logger, message.block);
      case 'measured':
        lastSamples = message.samples;
        measuring?.resolve(message.samples);
        measuring = null;
        return;
      case 'fatal':
        return fail(message.error, on.onFatal);
      case 'stopped':
        return stopped.resolve(message.outcome);
    }
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error)), on.onEnded));
  worker.once('exit', () => fail(new Error('an HTTP thread ended'), on.onEnded));

  const end = async () => {
    state = 'over';
    await worker.terminate();
  };
  return {
    join(joining: Joining) {
      post({ kind: 'join', joining }, [joining.store]);
      return listening.promise;
    },
    post,
    end,
    async samples() {
      if (measuring === null) {
        measuring = Promise.withResolvers();
        post({ kind: 'measure' });
      }
      const samples = (await within(samplesMs, measuring.promise)) ?? lastSamples;
      if (samples === null) throw new Error('an HTTP thread does not report its metrics');
      return samples;
    },
    async stop() {
      post({ kind: 'stop' });
      const outcome = (await within(stopMsMax, stopped.promise)) ?? 'cut off';
      await end();
      return outcome;
    },
  };
}

/** @returns null when that takes longer. */
async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | null> {
  const over = new AbortController();
  const late = pause(milliseconds, null, { signal: over.signal, ref: false });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}
