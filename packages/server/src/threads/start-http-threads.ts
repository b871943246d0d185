// docs/decisions/0080-http-threads.md
import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Joining } from '../create-deps.ts';
import { writeBlock } from '../logging/logger.ts';
import type { MetricSamples } from '../metrics/http-metrics.ts';
import { StartError } from '../start/start-error.ts';
import type { FromThread, HttpThreadStart, ToThread } from './thread-messages.ts';

/** The threads beside the first one that answer requests. */
export interface HttpThreads {
  /**
   * Resolves when all of them listen, each with one of these.
   * @throws StartError when one cannot listen, or what one failed with: none of them is left then.
   */
  join(joining: readonly Joining[]): Promise<void>;
  /** What each counted that has joined, or the last that is known of one that is late. @throws Error when nothing is known of one. */
  samples(): Promise<readonly MetricSamples[]>;
  drain(): void;
  /** As `HttpSide.stop`, and what each had opened is closed. One that does not end in time is ended. */
  stop(): Promise<'answered' | 'cut off'>;
  /** At once: for a start that failed. */
  end(): Promise<void>;
}

const samplesMs = 5_000;
/** Longer than its requests and its last words take. */
const stopMsMax = 60_000;

export interface ThreadListeners {
  /** The storage failed in one of them: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** One ended that should not: the process has to end. */
  readonly onEnded: (error: Error) => void;
}

/**
 * Starts so many threads, which load what they need while the first one opens the store that they join.
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
  // Whoever lets it join hears of it.
  listening.promise.catch(() => {});
  const stopped = Promise.withResolvers<'answered' | 'cut off'>();
  let measuring: PromiseWithResolvers<MetricSamples> | null = null;
  let lastSamples: MetricSamples | null = null;
  let state: 'starting' | 'listening' | 'over' = 'starting';
  const post = (message: ToThread, transfer: readonly MessagePort[] = []) =>
    worker.postMessage(message, [...transfer]);

  const fail = (error: Error, tell: (error: Error) => void) => {
    const failedIn = state;
    state = 'over';
    switch (failedIn) {
      case 'starting':
        return listening.reject(error);
      case 'listening':
        return tell(error);
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
        return listening.reject(new StartError(message.sentence));
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
  worker.once('exit', () => fail(new Error('a thread that answers requests ended'), on.onEnded));

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
      if (samples === null) throw new Error('a thread that answers requests does not say what it counted');
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
