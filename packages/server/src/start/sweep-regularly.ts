import type { Logger } from 'pino';

/** Periodic background work, which stops early when aborted. */
export interface RegularSweep {
  /** Verb and object for the log: "swept the device codes". */
  readonly done: 'swept' | 'read';
  readonly what: string;
  readonly everyMs: number;
  /** Whether it also runs immediately. */
  readonly atStart: boolean;
  /** @returns counts by name. */
  sweep(signal: AbortSignal): Promise<object>;
}

/** Runs each sweep at its interval, never twice at once. Disposing aborts the running ones and waits for them. */
export function sweepRegularly(sweeps: readonly RegularSweep[], logger: Logger): AsyncDisposable {
  const stopping = new AbortController();
  const running = sweeps.map((each) => startSweep(each, logger, stopping.signal));
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running.map((sweep) => sweep.stop()));
    },
  };
}

function startSweep(
  { done, what, everyMs, atStart, sweep }: RegularSweep,
  logger: Logger,
  signal: AbortSignal,
) {
  let underWay: Promise<void> | null = null;
  const run = async () => {
    try {
      const report = await sweep(signal);
      const foundNothing = Object.values(report).every((count) => count === 0 || count === false);
      if (!foundNothing) logger.info(report, `${done} the ${what}`);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, `the ${what} could not be ${done}`);
    } finally {
      underWay = null;
    }
  };
  const begin = () => {
    underWay ??= run();
  };
  if (atStart) begin();
  const timer = setInterval(begin, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
